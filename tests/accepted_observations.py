"""Possible observations, one or more of each phase, and changes to make to them."""

from __future__ import annotations

from solstis_ai.notation import parse_observation
from solstis_ai.observation import Observation

# All from games, but for the spirits of "alone".
ACCEPTED = {
    "play": "rules=base phase=play deck=30 queue=r7*,o4*,g5*,g9*,b2*,k7* you.hand=r5,r9,b8"
    " opponent.hand=3 spirit_deck=15",
    "discarded": "rules=base phase=play deck=8 queue=o6,p7 you.hand=r9,g8,b3"
    " you.tiles=r2,o1,o2,o4,o5,o7,o9,g2,g3,g6,g9,b4,b6,b7,p6 you.rainbows=g1 you.spirits=bird@o1"
    " opponent.hand=3 opponent.tiles=r1,r3,r4,r6,r7,r8,r10,o10,g4,g5,g10,b8,b9,k5,p4,p5"
    " opponent.rainbows=o1 discarded=g1 spirit_deck=13 line=squirrel",
    "passed": "rules=base phase=play deck=0 you.hand=r1,r9,b7"
    " you.tiles=r2,r4,r6,r8,r10,o1,o2,o7,g1,g4,g5,g6,g8,g10,b2,b3,b5,k7,k8,p6 you.rainbows=r9"
    " opponent.hand=3"
    " opponent.tiles=r3,r5,r7,o3,o4,o5,o6,o8,o9,o10,g2,g3,b4,b6,b8,b9,k3,k4,k6,p4,p5,p7"
    " spirit_deck=15 turn.passed=yes",
    "fireflies": "rules=fireflies phase=play deck=0 queue=k5 you.hand=g7,b6,b7"
    " you.tiles=r2,r5,r10,o1,o2,o4,o5,o7,o9,o10,g3,g4,g10,b2,b4,k3,k4,k6,k7,k8,p4"
    " you.rainbows=b3 you.spirits=deer@g3 you.fireflies=b3 you.evil_cell=r7 opponent.hand=3"
    " opponent.tiles=r3,r4,r6,r8,r9,o3,o6,g1,g2,g5,g6,g8,g9,b3,b5,b8,b9,p5,p6,p7"
    " opponent.rainbows=r10,k5 opponent.spirits=bear@g8 spirit_deck=15 line=squirrel"
    " evil_spirit=you",
    "known": "rules=fireflies phase=play deck=13 queue=o8 you.hand=b8,k3,p5"
    " you.tiles=r5,r9,o1,o2,o7,o9,o10,g1,g7,g9,g10,k5,k7,k8 you.spirits=fox@o9"
    " opponent.hand=3 opponent.known=r1,b5"
    " opponent.tiles=r2,r3,r6,r10,o5,g2,g3,g5,b2,b3,b4,b6,k4,k6 opponent.spirits=cow@g2"
    " spirit_deck=17",
    "forced": "rules=fireflies phase=play deck=14 queue=o8,b3 you.hand=r1,g3,b5"
    " you.tiles=r2,r3,r6,r10,o5,g2,g5,b2,b4,b6,k4,k6 opponent.hand=3"
    " opponent.tiles=r5,r9,o1,o2,o7,o9,o10,g1,g7,g9,g10,k5,k7,k8 opponent.spirits=fox@o9"
    " spirit_deck=17 line=cow turn.forced=g3",
    "capture": "rules=base phase=capture deck=30 queue=r7*,o4*,g5*,g9*,b2*,k7* you.hand=r5,r9"
    " opponent.hand=3 spirit_deck=15 turn.played=b8",
    "second_chance": "rules=base phase=capture deck=29 queue=o2*,o4*,g7,b2*,b4*,k3*,k6*"
    " you.hand=o1,p4 opponent.hand=3 spirit_deck=15 turn.played=g7 turn.drawn=g4",
    "rainbow": "rules=fireflies phase=rainbow deck=29"
    " queue=r8,o3*,o9*,g6,b2*,b3*,k5*,p7* you.hand=o2,k7 opponent.hand=3 spirit_deck=19"
    " turn.rainbows=1",
    "fish": "rules=fireflies phase=rainbow deck=24 queue=r5,r8,g4,b8* you.hand=r9,o2"
    " you.tiles=o6,o7,g2,g6,g7,g8,b5,b7 you.spirits=fish@o6 opponent.hand=3"
    " opponent.tiles=r4,r10,o8,o9,k6,p6 spirit_deck=17 line=squirrel turn.rainbows=1"
    " turn.filled=o6,o7 turn.met=fish",
    "meet": "rules=base phase=meet deck=24 queue=r5*,r9*,g3,p4* you.hand=k6,p5"
    " you.tiles=o2,o5,o7,o8,g7,g8 opponent.hand=3 opponent.tiles=r4,r10,g10,k4,k7,k8"
    " spirit_deck=15 turn.filled=o8,g8",
    "meet_drawn": "rules=base phase=meet_drawn deck=24 queue=r5*,r9*,g3,p4* you.hand=k6,p5"
    " you.tiles=o2,o5,o7,o8,g7,g8 opponent.hand=3 opponent.tiles=r4,r10,g10,k4,k7,k8"
    " spirit_deck=13 turn.filled=o8,g8 turn.spirits=bird,beetle",
    "evil_drawn": "rules=base phase=meet_drawn deck=19 queue=o9,g8,k3,k4,k8,p7 you.hand=r4,r9"
    " you.tiles=r3,o1,o4,g3,g4,g5,g10,b3,b4,p4 opponent.hand=3"
    " opponent.tiles=r2,r6,r8,g2,b5,k5,k7,p5 spirit_deck=13 evil_spirit=drawn"
    " turn.filled=r3,b3 turn.spirits=bear,evil_spirit",
    "kept": "rules=base phase=meet deck=15 queue=o9,g8,k3 you.hand=b2,k6"
    " you.tiles=r2,r6,r8,g2,b5,b7,b8,k5,k7,k8,p5,p7 opponent.hand=4"
    " opponent.tiles=r3,r4,o1,o4,g3,g4,g5,g10,b3,b4,k4,p4 opponent.spirits=bear@g3"
    " spirit_deck=13 evil_spirit=opponent turn.filled=b7,p7",
    "beetle": "rules=base phase=add deck=24 queue=r5*,r9*,g3,p4* you.hand=k6,p5"
    " you.tiles=o2,o5,o7,o8,g7,g8 you.spirits=beetle@o7 opponent.hand=3"
    " opponent.tiles=r4,r10,g10,k4,k7,k8 spirit_deck=13 line=bird turn.filled=o8,g8"
    " turn.met=beetle",
    "deer": "rules=base phase=add deck=0 queue=g5,k4 you.hand=o6,g4"
    " you.tiles=r3,r7,r9,o1,o2,o4,o5,o7,o8,o9,g1,g2,g7,b4,k3,k5,k7,p4,p7 you.rainbows=r8,k8"
    " you.spirits=wolf@o1,bird@r7,deer@r8 opponent.hand=2"
    " opponent.tiles=r1,r2,r4,r5,r6,r10,o3,o10,g3,g6,g8,b2,b3,b5,b6,b7,b8,b9,k6,k8,p5,p6"
    " opponent.rainbows=g10 discarded=r8 spirit_deck=9 line=bee,fish evil_spirit=opponent"
    " turn.filled=r9 turn.met=deer",
    "viper": "rules=fireflies phase=take deck=20 queue=o1,b4,p5 you.hand=r2,k5"
    " you.tiles=o4,o6,o7,o9,g5,g6,g7,g8,k7,p7 you.spirits=viper@o6 opponent.hand=3"
    " opponent.tiles=r3,r6,r9,r10,o3,o10,b2,b8,b9,k8 spirit_deck=17 line=bear"
    " turn.filled=o6,g6 turn.met=viper",
    "fox": "rules=fireflies phase=force deck=15 queue=o8,b3 you.hand=b8,k3"
    " you.tiles=r5,r9,o1,o2,o7,o9,o10,g1,g7,g9,g10,k5,k7,k8 you.spirits=fox@o9"
    " opponent.hand=3 opponent.known=r1,g3,b5"
    " opponent.tiles=r2,r3,r6,r10,o5,g2,g5,b2,b4,b6,k4,k6 spirit_deck=17 line=cow"
    " turn.filled=g1,g9 turn.met=fox",
    "evil": "rules=fireflies phase=evil deck=15 queue=o10,g9,p4,p6 you.hand=g3,k7"
    " you.tiles=r2,r7,r8,o8,g8,g10,b4,b5,b9,k4,k5,k8,p5 you.spirits=squirrel@b4"
    " you.evil_cell=g9 opponent.hand=3 opponent.tiles=r6,r9,r10,o4,o5,o6,b2,b3,b6,b7,k6"
    " opponent.rainbows=r5 opponent.spirits=viper@r5 spirit_deck=15 line=fish evil_spirit=you"
    " turn.filled=b5,p5 turn.met=squirrel",
    "evil_firefly": "rules=fireflies phase=evil deck=7 queue=r10,g2 you.hand=g4,b2"
    " you.tiles=r7,r8,o2,o4,o7,o8,o9,g5,g6,g7,g8,g9,b4,b6,k5,k7,k8,p7 you.rainbows=o5"
    " you.spirits=bee@o8,fish@o7 you.fireflies=r7 opponent.hand=3"
    " opponent.tiles=r1,r4,r5,r6,r9,o1,o3,o10,g1,g10,b5,b7,k4,p4,p5,p6 opponent.rainbows=o9"
    " spirit_deck=15 line=phoenix evil_spirit=drawn turn.filled=o5,o7,p7 turn.met=fish",
    "evil_fox": "rules=fireflies phase=evil deck=17 queue=g4,b5 you.hand=r2,r9"
    " you.tiles=r3,r4,r5,r6,r10,o1,o5,o6,o8,g3,g7,g10,p5,p6 you.spirits=fox@r5"
    " opponent.hand=3 opponent.known=r1,b6,p7 opponent.tiles=r8,o4,o10,g1,g5,b3,b4,b7,b8,k3"
    " opponent.rainbows=r2 spirit_deck=17 evil_spirit=drawn turn.filled=o1,o6 turn.met=fox"
    " turn.forced=b6",
    "evil_groundhog": "rules=fireflies phase=evil deck=12 queue=r5,g7,b2 you.hand=g6,b8"
    " you.tiles=r1,r3,r6,r8,r10,o1,o3,o4,o6,o8,o9,o10,g1,k3 you.rainbows=r4"
    " you.spirits=groundhog@r3 opponent.hand=3"
    " opponent.tiles=r2,r4,r7,r9,o2,g2,g8,b3,b4,b6,k5,k7,p5,p6 opponent.rainbows=b7"
    " spirit_deck=17 evil_spirit=drawn turn.filled=r4 turn.met=groundhog turn.extra=yes",
    # the evil spirit is the last of the spirit deck and is drawn alone (R15)
    "alone": "rules=base phase=meet_drawn deck=0 queue=b2"
    " you.tiles=r1,r2,r3,r5,r9,r10,o1,o2,o4,o5,o8,o9,o10,g1,g2,g4,g5,g8,g9,g10,b4,k4,p4"
    " you.rainbows=r8,b5 you.spirits=squirrel@r9,bird@o9,deer@g4 opponent.hand=2"
    " opponent.tiles=r4,r6,r7,r8,o3,o6,o7,g3,g6,g7,b3,b5,b6,b7,b8,b9,k5,k6,k7,p5,p6,p7"
    " opponent.rainbows=o9,o10 opponent.spirits=ladybug@g6,wolf@r6,eagle@o6,beetle@b6"
    " spirit_deck=0 line=bee,frog,moth,fish,bear,fly,groundhog evil_spirit=drawn"
    " turn.filled=g1,g8 turn.spirits=evil_spirit",
    "cover": "rules=base phase=cover deck=0 queue=b8 you.hand=r6,o1"
    " you.tiles=r1,r2,r4,r5,r10,o2,o3,o5,o6,o8,o10,g1,g6,g10,b2,b3,b5,b6,b7,b9,k5,p5,p6,p7"
    " opponent.hand=2"
    " opponent.tiles=r7,r8,r9,o4,o9,g2,g3,g4,g5,g7,g8,g9,b4,k3,k4,k6,k7,k8,p4"
    " opponent.rainbows=o8,g6 opponent.spirits=eagle@o8 spirit_deck=13 evil_spirit=opponent",
    "final": "rules=base phase=final_rainbow deck=0"
    " you.tiles=r1,r2,r4,r5,r6,o2,o4,o5,o6,o10,g1,g4,g8,g10,b2,b5,b6,b8,k4,k6,k7,k8,p4,p5,p7"
    " you.rainbows=g2 you.spirits=squirrel@r4,beetle@r5 opponent.hand=3"
    " opponent.tiles=r3,r7,r8,r10,o1,o3,o7,o8,o9,g2,g3,g5,g6,g7,g9,b3,b4,b7,b9,k3"
    " opponent.rainbows=o2,b8 opponent.spirits=bee@o2!,wolf@r7 spirit_deck=7"
    " line=frog,deer,bear evil_spirit=opponent turn.rainbows=1",
}


EXPANSION_ALONE = (
    "rules=fireflies you.spirits=squirrel@r9,bird@o9,deer@g4,cow@r1,phoenix@o4"
    " line=bee,frog,moth,fish,bear,fly,groundhog,viper,fox "
)
ALL_MET = (
    "line= you.spirits=squirrel@r9,bird@o9,deer@g4,bee@r1,frog@o4,moth@o8,fish@r8"
    " opponent.spirits=ladybug@g6,wolf@r6,eagle@o6,beetle@b6,bear@b5,fly@k5,groundhog@k6 "
)


def observation(name: str, changes: str = "") -> Observation:
    """An accepted observation with fields set (``key=value``) or left out (``key=``)."""
    fields = dict(word.split("=") for word in f"{ACCEPTED[name]} {changes}".split())
    words = [f"{key}={text}" for key, text in fields.items() if text]
    return parse_observation(" ".join(["solstis-observation/1", *words]))
