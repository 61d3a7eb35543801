from solstis_ai._fast import Knowledge

FUTURES_PER_HAND: int

Parts = tuple[int, int, int, int, int, int]

def sample_outlook(
    knowledge: Knowledge, code: int, seed: int, first: int, end: int
) -> tuple[Parts, Parts, Parts, Parts, int, int, int]: ...
