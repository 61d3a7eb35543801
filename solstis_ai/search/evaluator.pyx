"""A network and a policy in memory: the Python side of `network.pxd` and `policy.pxd`."""

import math

import cython
from libc.stdint cimport int16_t, int32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from solstis_ai._fast.features cimport FEATURE_WORDS
from solstis_ai._fast.policy cimport POLICY_FACTS, POLICY_KINDS, POLICY_STAGES, Policy
from solstis_ai._fast.state cimport GameState
from solstis_ai._fast.types cimport NO_SPIRIT
from solstis_ai.search.leaf cimport Evaluation
from solstis_ai.search.network cimport (
    BUCKETS, HIDDEN, ONE, OUTPUT_ONE, REWARD_ONE, SIGMOID_SIZE, Network, judge,
)

FEATURES = FEATURE_WORDS * 64
SHAPE = (FEATURES, HIDDEN, BUCKETS)
SCALES = (ONE, OUTPUT_ONE)
POLICY_SHAPE = (POLICY_STAGES, POLICY_KINDS, POLICY_FACTS)
SPIRIT_SHAPE = (POLICY_STAGES, 2, NO_SPIRIT + 1)


@cython.final
cdef class Evaluator:
    """Weights of a network and tables of a policy.

    Args:
        rows: int16, shape (FEATURES, HIDDEN): what a feature adds to the hidden sums.
        bias: int16, shape (HIDDEN,).
        output: int16, shape (BUCKETS, HIDDEN).
        output_bias: int32, shape (BUCKETS,).
        cell: float32, shape POLICY_SHAPE: weights by facts of the cell, above 0.
        capture: float32, shape POLICY_SHAPE: weights by what is captured.
        spirit: float32, shape SPIRIT_SHAPE: weights of spirits.

    Raises:
        ValueError: If a shape is another one.
        MemoryError: If there is no memory.
    """

    def __cinit__(self, const int16_t[:, ::1] rows, const int16_t[::1] bias,
                  const int16_t[:, ::1] output, const int32_t[::1] output_bias,
                  const float[:, :, ::1] cell, const float[:, :, ::1] capture,
                  const float[:, :, ::1] spirit):
        _check("rows", rows.shape, (FEATURES, HIDDEN))
        _check("bias", bias.shape, (HIDDEN,))
        _check("output", output.shape, (BUCKETS, HIDDEN))
        _check("output_bias", output_bias.shape, (BUCKETS,))
        _check("cell", cell.shape, POLICY_SHAPE)
        _check("capture", capture.shape, POLICY_SHAPE)
        _check("spirit", spirit.shape, SPIRIT_SHAPE)
        self.evaluation = <Evaluation*>malloc(sizeof(Evaluation))
        if self.evaluation == NULL:
            raise MemoryError("no memory for the network")
        cdef Network* network = &self.evaluation.network
        cdef Policy* policy = &self.evaluation.policy
        memcpy(network.rows, &rows[0, 0], sizeof(network.rows))
        memcpy(network.bias, &bias[0], sizeof(network.bias))
        memcpy(network.output, &output[0, 0], sizeof(network.output))
        memcpy(network.output_bias, &output_bias[0], sizeof(network.output_bias))
        for i in range(SIGMOID_SIZE):
            logit = (i + 0.5) * 16 / SIGMOID_SIZE - 8
            network.sigmoid[<int>i] = round(REWARD_ONE / (1 + math.exp(-logit)))
        memcpy(policy.cell, &cell[0, 0, 0], sizeof(policy.cell))
        memcpy(policy.capture, &capture[0, 0, 0], sizeof(policy.capture))
        memcpy(policy.spirit, &spirit[0, 0, 0], sizeof(policy.spirit))

    def __dealloc__(self):
        free(self.evaluation)

    def judge(self, GameState state not None):
        """The chance to win of the side that decides, draws counted half; 0 to 1."""
        return judge(&self.evaluation.network, &state.state) / <double>REWARD_ONE


def _check(name, shape, expected):
    found = tuple(shape[i] for i in range(len(expected)))
    if found != expected:
        raise ValueError(f"{name} has shape {found}, not {expected}")
