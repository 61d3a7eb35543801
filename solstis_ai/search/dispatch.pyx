"""Choice of the kernels for this processor.

The highest level that this build contains and this machine can run is taken, unless the
environment variable ``SOLSTIS_LEVEL`` names another one of them.
"""

import importlib
import os

import cython

from cpython.pycapsule cimport PyCapsule_GetPointer

from solstis_ai.errors import ProcessorLevelError

from solstis_ai.search.kernels cimport Kernels

cdef extern from *:
    """
    #if defined(__x86_64__)
    static int solstis_runs_v2(void) {
        return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
    }
    static int solstis_runs_v3(void) {
        return solstis_runs_v2() && __builtin_cpu_supports("avx2") &&
               __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
               __builtin_cpu_supports("fma");
    }
    #else
    static int solstis_runs_v2(void) { return 0; }
    static int solstis_runs_v3(void) { return 0; }
    #endif
    """
    const char* C_COMPILER "__VERSION__"
    int runs_v2 "solstis_runs_v2"() noexcept
    int runs_v3 "solstis_runs_v3"() noexcept

BASELINE = "baseline"

C_COMPILER_VERSION = C_COMPILER.decode()
CYTHON_VERSION = cython.__version__

_tables = {}
_level = BASELINE
cdef const Kernels* _kernels = NULL


cdef const Kernels* kernels() noexcept nogil:
    return _kernels


def _load(level):
    name = f"solstis_ai.search.kernel_{level.replace('-', '_')}"
    try:
        return importlib.import_module(name).capsule()
    except ModuleNotFoundError:
        return None


def _runnable():
    levels = [BASELINE]
    if runs_v2():
        levels.append("x86-64-v2")
    if runs_v3():
        levels.append("x86-64-v3")
    return levels


def available_levels():
    """Processor levels in this build that this machine runs, lowest first."""
    return list(_tables)


def processor_level():
    """The processor level in use."""
    return _level


def use_level(level):
    """Use the kernels of this level from now on; for tests and benchmarks.

    Raises:
        ProcessorLevelError: If this build or this machine does not have it.
    """
    global _level, _kernels
    if level not in _tables:
        raise ProcessorLevelError(
            f"processor level {level!r} is not available; choose from {', '.join(_tables)}"
        )
    _kernels = <const Kernels*>PyCapsule_GetPointer(_tables[level], "solstis_ai.kernels")
    _level = level


for _name in _runnable():
    _capsule = _load(_name)
    if _capsule is not None:
        _tables[_name] = _capsule


def _use_first_level():
    wanted = os.environ.get("SOLSTIS_LEVEL")
    try:
        use_level(wanted or next(reversed(_tables)))
    except ProcessorLevelError as error:
        raise ProcessorLevelError(f"SOLSTIS_LEVEL: {error}") from None


_use_first_level()
