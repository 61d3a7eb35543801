"""A small network that judges a position: the chance to win of the side that decides.

One hidden layer over the yes/no features of `_fast/features.pxd`, in 16-bit integers: every
present feature adds its row of weights, the sums are clipped to 0..ONE, and one of BUCKETS
output rows (by the size of the deck) gives the logit. The first layer costs one vector
addition a feature (the idea of NNUE: Nasu 2018). Integers give the same bits on every machine.
"""

from libc.stdint cimport int16_t, int32_t, int64_t, uint64_t

from solstis_ai._fast.features cimport FEATURE_WORDS, Features, find_features
from solstis_ai._fast.types cimport State

cdef enum:
    HIDDEN = 64
    BUCKETS = 9           # deck sizes 0, 1-4, ..., 29-30
    ONE = 255             # 1.0 in the hidden layer
    OUTPUT_ONE = 512      # 1.0 in the output weights
    SIGMOID_SIZE = 4096   # over logits -8..8
    REWARD_ONE = 1 << 16  # 1.0 in a reward

cdef struct Network:
    int16_t rows[FEATURE_WORDS * 64][HIDDEN]
    int16_t bias[HIDDEN]
    int16_t output[BUCKETS][HIDDEN]
    int32_t output_bias[BUCKETS]
    int32_t sigmoid[SIGMOID_SIZE]  # rewards

cdef extern from *:
    """
    typedef int16_t solstis_lanes __attribute__((vector_size(32), aligned(2), may_alias));
    /* acc = bias + the rows of all set bits; 64 sums in four vectors that stay in registers. */
    static inline void solstis_accumulate(const int16_t (*rows)[64], const uint64_t *words,
                                          int count, const int16_t *bias, int16_t *acc) {
        const solstis_lanes *b = (const solstis_lanes *)bias;
        solstis_lanes a0 = b[0], a1 = b[1], a2 = b[2], a3 = b[3];
        for (int word = 0; word < count; word++) {
            uint64_t rest = words[word];
            const int16_t (*base)[64] = rows + 64 * word;
            while (rest) {
                const solstis_lanes *row = (const solstis_lanes *)base[__builtin_ctzll(rest)];
                rest &= rest - 1;
                a0 += row[0]; a1 += row[1]; a2 += row[2]; a3 += row[3];
            }
        }
        solstis_lanes *out = (solstis_lanes *)acc;
        out[0] = a0; out[1] = a1; out[2] = a2; out[3] = a3;
    }
    static inline int32_t solstis_output(const int16_t *acc, const int16_t *weights) {
        int32_t sum = 0;
        for (int i = 0; i < 64; i++) {
            int16_t active = acc[i] < 0 ? 0 : acc[i] > 255 ? 255 : acc[i];
            sum += (int32_t)active * weights[i];
        }
        return sum;
    }
    """
    void accumulate "solstis_accumulate"(
        const int16_t (*rows)[64], const uint64_t* words, int count, const int16_t* bias,
        int16_t* sums) noexcept nogil
    int32_t output_sum "solstis_output"(const int16_t* sums, const int16_t* weights) noexcept nogil


cdef inline int reward_of_logit(const Network* network, int64_t logit) noexcept nogil:
    """The sigmoid of a logit in units of 1 / (ONE * OUTPUT_ONE), as a reward."""
    cdef int64_t slot = logit * (SIGMOID_SIZE // 16) + 8 * SIGMOID_SIZE // 16 * ONE * OUTPUT_ONE
    if slot < 0:
        return network.sigmoid[0]
    slot = slot // (ONE * OUTPUT_ONE)
    return network.sigmoid[slot if slot < SIGMOID_SIZE else SIGMOID_SIZE - 1]


cdef inline int judge(const Network* network, const State* s) noexcept nogil:
    """The chance of the mover to win, draws counted half, 0..REWARD_ONE."""
    cdef Features found
    cdef int16_t[HIDDEN] sums
    cdef int bucket = (s.deck_size + 3) // 4
    find_features(s, &found)
    accumulate(network.rows, found.words, FEATURE_WORDS, network.bias, sums)
    return reward_of_logit(
        network, output_sum(sums, network.output[bucket]) + network.output_bias[bucket])
