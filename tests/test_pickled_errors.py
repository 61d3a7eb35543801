"""An error is the same on the other side of a process."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import pytest

from solstis_ai.benchmark import SignatureError
from solstis_ai.errors import FieldError, MissingExtraError, OverloadedError, SolstisError
from solstis_ai.instructions import CountingError
from solstis_ai.recorded import MismatchError
from solstis_ai.workers import worker_pool

WRONG = "observation.deck_size"
ELSEWHERE = {SignatureError, CountingError, MismatchError}
"""Errors that are not in the module of errors."""


def tree(kind: type[SolstisError]) -> list[type[SolstisError]]:
    """A class of errors and all that derive from it."""
    return [kind, *(found for below in kind.__subclasses__() for found in tree(below))]


def made(kind: type[SolstisError]) -> SolstisError:
    """An error of this class."""
    if issubclass(kind, FieldError):
        return kind(WRONG, "is 31, which is more than 30")
    if issubclass(kind, MissingExtraError):
        return kind("the picture", "plots")
    if issubclass(kind, MismatchError):
        return kind("r-0001", "final", (31, 28), (30, 28))
    if issubclass(kind, OverloadedError):
        return kind("the queue is full", retry_after_seconds=2.5)
    return kind("something is wrong")


def refuse(kind: type[SolstisError]) -> None:
    """What a worker does when it fails."""
    raise made(kind)


def test_the_tree_has_them_all() -> None:
    assert set(tree(SolstisError)) > ELSEWHERE


@pytest.mark.parametrize("kind", tree(SolstisError))
@pytest.mark.parametrize("through", [lambda it: pickle.loads(pickle.dumps(it)), copy.copy])
def test_an_error_can_be_copied(
    kind: type[SolstisError], through: Callable[[SolstisError], SolstisError]
) -> None:
    error = made(kind)
    found = through(error)
    assert type(found) is kind
    assert str(found) == str(error) != ""
    assert vars(found) == vars(error)


def test_a_worker_tells_which_field_is_wrong() -> None:
    with worker_pool(1) as pool, pytest.raises(FieldError, match="31") as caught:
        pool.submit(refuse, FieldError).result()
    assert caught.value.field == WRONG
