"""The version of the installed package."""

from importlib.metadata import version

__all__ = ["VERSION"]

VERSION = version("solstis-ai")
