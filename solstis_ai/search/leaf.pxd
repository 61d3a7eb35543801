"""What a leaf of the tree is worth: a judgement by network, or a playout to the end.

A network judges best where a turn begins. So the turn that the leaf is in is first played to its
end by the policy, and then so many decisions more as `lookahead` says: that averages out what the
network misjudges in single positions.
"""

from solstis_ai._fast.chance cimport Chance
from solstis_ai._fast.playout cimport play_out
from solstis_ai._fast.policy cimport Policy, play_by_policy
from solstis_ai._fast.scoring cimport outcome_for, stars
from solstis_ai._fast.types cimport PHASE_OVER, PHASE_PLAY, State
from solstis_ai.search.network cimport REWARD_ONE, Network, judge

cdef struct Evaluation:
    Network network
    Policy policy


cdef inline int final_reward(const State* world) noexcept nogil:
    """The reward of side 0 in a finished game: 1 for a win, a half for a draw."""
    return outcome_for(world, 0, stars(world, 0), stars(world, 1)) * (REWARD_ONE // 2)


cdef inline void play_ahead(
    State* world, const Evaluation* by, int lookahead, Chance* chance
) noexcept nogil:
    """Until a decision leads to the beginning of a turn, and `lookahead` decisions further.

    Forced decisions are played on the way: where one of them ends the turn of the leaf, the next
    turn is played as well.
    """
    while world.phase != PHASE_PLAY and world.phase != PHASE_OVER:
        play_by_policy(world, &by.policy, 1, chance)
    play_by_policy(world, &by.policy, lookahead, chance)


cdef inline int leaf_reward(
    State* world, const Evaluation* by, int lookahead, Chance* chance
) noexcept nogil:
    """The reward of side 0 after a leaf, 0..REWARD_ONE; `by` NULL: by a random playout."""
    cdef int reward
    if by == NULL:
        play_out(world, chance)
        return final_reward(world)
    play_ahead(world, by, lookahead, chance)
    if world.phase == PHASE_OVER:
        return final_reward(world)
    reward = judge(&by.network, world)
    return REWARD_ONE - reward if world.mover else reward
