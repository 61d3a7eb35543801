"""What a Python frontend needs: read what the seat sees, ask the service, play the move."""

import sys
from pathlib import Path

from solstis_ai.service.client import OpponentClient
from solstis_ai.wire import observation_from_json

if len(sys.argv) != 3:
    sys.exit("usage: python frontend.py OBSERVATION.json HOST:PORT")
observation = observation_from_json(Path(sys.argv[1]).read_text(encoding="utf-8"))
with OpponentClient(sys.argv[2], timeout=10.0) as opponent:
    analysis = opponent.recommend(observation, time_seconds=1.0)
print(f"{analysis.move}   (wins {analysis.win_probability:.0%})")
