"""The rules of Solstis as a slow, obvious oracle for tests.

Written from the rules alone (R1 to R26 are its numbers) with dicts, sets and strings, so that it
can be checked line by line. Chance is lazy: the state knows which tiles are unseen (the pool: deck
and face-down queue tiles), and every outcome comes from a `ChanceSource`.

Readings
--------
Where the rules can be read in two ways, the recorded games decide (another reading fails in the
games named here):

- R14: a cell that changes from a rainbow to a land tile is filled this turn
  (base-498910, base-688966, base-245502, no-evil-403882). A discarded tile fills nothing
  (base-1259134, base-1924330, base-578100).
- R16: the evil spirit is kept from the draw on and does not pass on at that meeting (base-182150,
  base-388044).
- R17: the viper's tile is not isolated beside a rainbow (fireflies-2344037, fireflies-300935).
- R21: a pass because of the fox's tile (R22) counts as one of the two passes (fireflies-1963925,
  fireflies-2866691, fireflies-3278479).
- R25: fireflies are placed only once the effect is finished (fireflies-3048828,
  fireflies-2898367) and before the evil spirit is placed: the fourth ends the game even with a
  drawn evil spirit still to be placed (fireflies-158393).
- R26: the evil spirit moves at the end of the turn of the meeting, also before the groundhog's
  second turn (fireflies-1599651, fireflies-1892654).

Not decided by the recorded games, so chosen:

- R14, R15: no recorded game draws a single spirit. The evil spirit drawn alone: a spirit of the
  line is met if there is one, in the expansion too (R14: meeting is not optional; R26 sets aside
  the keeping of R15, not the meeting). It is the meeting that drew the evil spirit, so R16 does
  not pass it on. With an empty line no spirit is met, hence no fireflies (R25), but in the
  expansion the evil spirit is placed all the same ("when it is drawn").
- R25: no recorded player could get more than four. "At once" is taken to mean that no fifth token
  is placed; then the 7 tokens always suffice (3 and 4). They go down from the bottom
  row up and from left to right.
- R17 viper, R26: the evil spirit beside a tile leaves the tile isolated ("it connects nothing").
- R10 no rainbow in the supply, R13 no allowed cell, R14 no spirit left at all, R17 deer and fly and
  fox with an empty hand, R26 no allowed cell: never reached; as the rules say.

Peculiarity of the recorded games: `hand` of `final[]` lists also the tiles that R12 discarded
straight out of that hand (base-1963925, base-1314567, no-evil-356368: fly; fireflies-950293: deer;
base-2953800, base-1726355, base-1670922: squirrel). They are out of the game by R12, and the legal
decisions of the same games agree (fly, deer: the tile is no longer playable). The replay reckons
with this exactly; `OracleGame.score` and the snapshot show the true hand.
"""

from oracle.chance import ChanceSource, RandomChance, ScriptedChance, ScriptError
from oracle.game import OracleGame
from oracle.recorded import ReplayMismatchError, load_games, replay

__all__ = [
    "ChanceSource",
    "OracleGame",
    "RandomChance",
    "ReplayMismatchError",
    "ScriptError",
    "ScriptedChance",
    "load_games",
    "replay",
]
