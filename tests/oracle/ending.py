"""Endings with an empty deck by brute force: every plan, every defence, every outcome.

A seat that cannot tell some worlds apart must do the same in all of them. It looks for the plan
that does best on average over the worlds against a defender who sees everything (all hands, the
face-down tiles as a set, the plan itself) but the chance to come. A value is the expected result
in half points, then the expected lead in stars; pairs compare in that order.

Nothing is pruned: a plan stands for what it brings in each of the worlds, and two plans are the
same only when they bring the same everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from oracle.game import OracleGame

Value = tuple[Fraction, Fraction]  # half points, lead in stars
Plan = tuple[Value, ...]  # one value for each world


class TooLargeError(Exception):
    """There are more situations or plans than brute force can go through."""


class _AllOutcomes:
    """Takes the options of every chance event in turn, over several runs of one decision."""

    def __init__(self) -> None:
        self.choices: list[int] = []  # of the run under way, and what the next one begins with
        self.sizes: list[int] = []

    def choose(self, kind: str, options: list[str]) -> str:
        """The option whose turn it is."""
        if len(self.sizes) == len(self.choices):
            self.choices.append(0)
        self.sizes.append(len(options))
        return options[self.choices[len(self.sizes) - 1]]

    def turn(self) -> bool:
        """Prepare the next run; False after the last one."""
        while self.choices and self.choices[-1] + 1 == self.sizes[len(self.choices) - 1]:
            self.choices.pop()
        self.sizes = []
        if not self.choices:
            return False
        self.choices[-1] += 1
        return True


def outcomes(game: OracleGame, move: str) -> list[tuple[Fraction, OracleGame]]:
    """What may follow a decision, with its probability."""
    chance, found, more = _AllOutcomes(), [], True
    while more:
        after = game.copy()
        after.apply(move, chance)
        share = Fraction(1)
        for size in chance.sizes:
            share /= size
        found.append((share, after))
        more = chance.turn()
    return found


def worlds_of(game: OracleGame, seat: int) -> list[OracleGame]:
    """All games that look like this one to `seat`, who knows shown and excluded tiles (§9)."""
    snapshot: dict[str, Any] = game.snapshot()
    other = snapshot["sides"][1 - seat]
    unseen = {*snapshot["pool"], *other["hand"]} - set(other["known"])
    candidates = sorted(unseen - set(other["excluded"]))
    worlds = []
    for hidden in combinations(candidates, len(other["hand"]) - len(other["known"])):
        snapshot["sides"][1 - seat] = dict(other, hand=[*other["known"], *hidden])
        snapshot["pool"] = sorted(unseen - set(hidden))
        worlds.append(OracleGame.from_snapshot(snapshot, fireflies=game.state.fireflies))
    return worlds


def _seen_by(game: OracleGame, seat: int) -> str:
    """All that the seat sees (§9); which tiles it has not seen follows from it."""
    snapshot: dict[str, Any] = game.snapshot()
    other = snapshot["sides"][1 - seat]
    snapshot["sides"][1 - seat] = dict(other, hand=len(other["hand"]))
    snapshot["pool"] = len(snapshot["pool"])
    return repr(snapshot)


class BruteForce:
    """The values of one ending for one seat.

    Gives up after `most` games that had to be looked at, or with more than `most_plans` plans.
    """

    def __init__(self, seat: int, most: int = 40_000, most_plans: int = 1000) -> None:
        self.seat, self.left, self.most_plans = seat, most, most_plans
        self.known: dict[str, set[Plan]] = {}

    def move_values(self, worlds: Sequence[OracleGame]) -> dict[str, Value]:
        """The mean over the worlds of the best plan that begins with each legal move."""
        return {
            move: max(self._mean(plan) for plan in self._after(worlds, move))
            for move in worlds[0].legal()
        }

    @staticmethod
    def _mean(plan: Plan) -> Value:
        points, leads = zip(*plan, strict=True)
        return sum(points) / Fraction(len(plan)), sum(leads) / Fraction(len(plan))

    def _final(self, game: OracleGame) -> Value:
        totals = [game.score(player)["total"] for player in (0, 1)]
        lead = Fraction(totals[self.seat] - totals[1 - self.seat])
        if game.winner is None:
            return Fraction(1), lead
        return Fraction(2 if game.winner == self.seat else 0), lead

    def _plans(self, worlds: Sequence[OracleGame]) -> set[Plan]:
        """All plans from here on, for worlds that look the same."""
        key = repr([world.snapshot() for world in worlds])
        if key not in self.known:
            found = self._all_plans(worlds)
            if len(worlds) == 1:  # the values of one world are in order: only the best counts
                found = {max(found)}
            self.known[key] = found
        return self.known[key]

    def _all_plans(self, worlds: Sequence[OracleGame]) -> set[Plan]:
        if worlds[0].over:
            return {tuple(self._final(world) for world in worlds)}
        if worlds[0].player == self.seat:
            return {plan for move in worlds[0].legal() for plan in self._after(worlds, move)}
        return self._defended(worlds)

    def _defended(self, worlds: Sequence[OracleGame]) -> set[Plan]:
        """The other player takes in each world whatever is worst for the plan."""
        answers: set[tuple[Value | None, ...]] = {(None,) * len(worlds)}
        for move in sorted({move for world in worlds for move in world.legal()}):
            members = [i for i, world in enumerate(worlds) if move in world.legal()]
            plans = self._after([worlds[i] for i in members], move)
            answers = {
                tuple(
                    _worse(before, plan[members.index(i)]) if i in members else before
                    for i, before in enumerate(answer)
                )
                for answer in answers
                for plan in plans
            }
            self._check(answers)
        return {tuple(value for value in answer if value is not None) for answer in answers}

    def _after(self, worlds: Sequence[OracleGame], move: str) -> set[Plan]:
        """All plans for what follows a decision; each sight of the seat has its own."""
        sights: dict[str, list[tuple[int, Fraction, OracleGame]]] = {}
        for i, world in enumerate(worlds):
            for share, after in outcomes(world, move):
                self._count()
                sights.setdefault(_seen_by(after, self.seat), []).append((i, share, after))
        sums: set[Plan] = {((Fraction(0), Fraction(0)),) * len(worlds)}
        for group in sights.values():
            plans = self._plans([after for _, _, after in group])
            sums = {tuple(_added(total, group, plan)) for total in sums for plan in plans}
            self._check(sums)
        return sums

    def _count(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise TooLargeError

    def _check(self, found: set[Any]) -> None:
        if len(found) > self.most_plans:
            raise TooLargeError


def _worse(before: Value | None, value: Value) -> Value:
    return value if before is None else min(before, value)


def _added(
    total: Plan, group: list[tuple[int, Fraction, OracleGame]], plan: Plan
) -> Iterator[Value]:
    for i, (points, lead) in enumerate(total):
        for (world, share, _), value in zip(group, plan, strict=True):
            if world == i:
                points, lead = points + share * value[0], lead + share * value[1]  # noqa: PLW2901
        yield points, lead
