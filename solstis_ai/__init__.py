"""An AI opponent for the board game Solstis."""
