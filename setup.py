"""Build of the compiled modules; everything else stands in pyproject.toml.

SOLSTIS_DEBUG=1 builds with bounds checks, line trace and without optimisation.
"""

import os
import platform

from Cython.Build import cythonize
from setuptools import Extension, setup

DEBUG = os.environ.get("SOLSTIS_DEBUG") == "1"
X86_64 = platform.machine().lower() in ("x86_64", "amd64")

# Compiled modules and the processor level of each; None is the compiler's baseline, which
# runs everywhere. solstis_ai.search.dispatch picks among the kernels when it is loaded.
MODULES: dict[str, str | None] = {
    "solstis_ai._fast.state": None,
    "solstis_ai.search.dispatch": None,
    "solstis_ai.search.endgame": None,
    "solstis_ai.search.evaluator": None,
    "solstis_ai.search.loops": None,
    "solstis_ai.search.outlook": None,
    "solstis_ai.search.searcher": None,
    "solstis_ai.search.selfplay": None,
    "solstis_ai.search.team": None,
    "solstis_ai.search.kernel_baseline": None,
}
if X86_64:
    MODULES["solstis_ai.search.kernel_x86_64_v2"] = "x86-64-v2"
    MODULES["solstis_ai.search.kernel_x86_64_v3"] = "x86-64-v3"

DIRECTIVES = {
    "language_level": 3,
    "binding": True,
    "embedsignature": True,
    "initializedcheck": DEBUG,
    "boundscheck": DEBUG,
    "wraparound": DEBUG,
    "cdivision": True,
    "linetrace": DEBUG,
}

# Without contraction of a*b+c every level computes the same bits, with FMA and without.
COMPILE_ARGS = ["-O0", "-g"] if DEBUG else ["-O3", "-ffp-contract=off"]


def extension(name: str, level: str | None) -> Extension:
    """The compiled module `name`."""
    return Extension(
        name,
        [name.replace(".", "/") + ".pyx"],
        extra_compile_args=COMPILE_ARGS + ([f"-march={level}"] if level else []),
        define_macros=[("CYTHON_TRACE_NOGIL", "1")] if DEBUG else [],
    )


setup(
    ext_modules=cythonize(
        [extension(*module) for module in MODULES.items()],
        compiler_directives=DIRECTIVES,
        nthreads=2,
        show_all_warnings=False,
    )
)
