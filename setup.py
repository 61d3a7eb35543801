"""Build of the compiled modules; everything else stands in pyproject.toml.

SOLSTIS_DEBUG=1 builds with bounds checks, line trace and without optimisation.
"""

import os

from Cython.Build import cythonize
from setuptools import Extension, setup

DEBUG = os.environ.get("SOLSTIS_DEBUG") == "1"

MODULES: list[str] = []  # names of the compiled modules, such as "solstis_ai._fast.state"

DIRECTIVES = {
    "language_level": 3,
    "binding": True,
    "embedsignature": True,
    "initializedcheck": DEBUG,
    "boundscheck": DEBUG,
    "wraparound": DEBUG,
    "cdivision": not DEBUG,
    "linetrace": DEBUG,
}

EXTENSIONS = [
    Extension(
        name,
        [name.replace(".", "/") + ".pyx"],
        extra_compile_args=["-O0", "-g"] if DEBUG else ["-O3"],
        define_macros=[("CYTHON_TRACE_NOGIL", "1")] if DEBUG else [],
    )
    for name in MODULES
]

setup(ext_modules=cythonize(EXTENSIONS, compiler_directives=DIRECTIVES) if EXTENSIONS else [])
