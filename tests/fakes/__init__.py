"""Strict stand-ins for tests: they fail on what they do not expect."""
