"""A network in memory: the Python side of `network.pxd`."""

import math

import cython
from libc.stdint cimport int16_t, int32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from solstis_ai._fast.features cimport FEATURE_WORDS
from solstis_ai.search.network cimport (
    BUCKETS, HIDDEN, ONE, OUTPUT_ONE, REWARD_ONE, SIGMOID_SIZE, Network, judge,
)
from solstis_ai._fast.state cimport GameState

FEATURES = FEATURE_WORDS * 64
SHAPE = (FEATURES, HIDDEN, BUCKETS)
SCALES = (ONE, OUTPUT_ONE)


@cython.final
cdef class Evaluator:
    """Weights of a network.

    Args:
        rows: int16, shape (FEATURES, HIDDEN): what a feature adds to the hidden sums.
        bias: int16, shape (HIDDEN,).
        output: int16, shape (BUCKETS, HIDDEN).
        output_bias: int32, shape (BUCKETS,).

    Raises:
        ValueError: If a shape is another one.
        MemoryError: If there is no memory.
    """

    def __cinit__(self, const int16_t[:, ::1] rows, const int16_t[::1] bias,
                  const int16_t[:, ::1] output, const int32_t[::1] output_bias):
        shapes = (rows.shape[0], rows.shape[1], bias.shape[0], output.shape[0],
                  output.shape[1], output_bias.shape[0])
        if shapes != (FEATURES, HIDDEN, HIDDEN, BUCKETS, HIDDEN, BUCKETS):
            raise ValueError(f"weights of shapes {shapes} are no network of {SHAPE}")
        self.network = <Network*>malloc(sizeof(Network))
        if self.network == NULL:
            raise MemoryError("no memory for the network")
        memcpy(self.network.rows, &rows[0, 0], sizeof(self.network.rows))
        memcpy(self.network.bias, &bias[0], sizeof(self.network.bias))
        memcpy(self.network.output, &output[0, 0], sizeof(self.network.output))
        memcpy(self.network.output_bias, &output_bias[0], sizeof(self.network.output_bias))
        for i in range(SIGMOID_SIZE):
            logit = (i + 0.5) * 16 / SIGMOID_SIZE - 8
            self.network.sigmoid[<int>i] = round(REWARD_ONE / (1 + math.exp(-logit)))

    def __dealloc__(self):
        free(self.network)

    def judge(self, GameState state not None):
        """The chance to win of the side that decides, draws counted half; 0 to 1."""
        return judge(self.network, &state.state) / <double>REWARD_ONE
