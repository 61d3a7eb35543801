from typing import final

@final
class Team:
    def __init__(self, size: int) -> None: ...
