"""``python -m solstis_ai`` is the command ``solstis-ai``."""

from solstis_ai.cli import main

main(prog_name="solstis-ai")
