"""Where the time goes: instructions, or samples of the clock, by function of the engine.

Nearly everything is inlined into a few loops, so that a profile by symbol says little; each
line of the generated C is counted for the function that it was written in. What is inlined there
from headers, such as ``pdep`` from those of the compiler, has a row of its own. The module must
have been compiled in place with debug information (the default of most Pythons).
"""

from __future__ import annotations

import argparse
import bisect
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import harness
import tasks
from arguments import whole

from solstis_ai import instructions
from solstis_ai.search.dispatch import processor_level

_BEGIN = re.compile(r"^\s*static (?:CYTHON_)?(?:INLINE |inline ).*?\b(\w+)\(.*\{\s*$")
_POSITION = re.compile(r"^([+-]?\d+|\*) (\d+)$")
_FILE = re.compile(r"^(fl|fi|fe|cfi|cfl)=\((\d+)\)(?: (.*))?$")

Costs = dict[str, float]

HEADERS = "compiler headers"
_HEADER_LINE = 0
"""Stands for all lines that are inlined from other files."""


def readable(name: str) -> str:
    """``rules.play_tile`` for the C name of that function."""
    rest, words = name.removeprefix("__pyx_f_"), []
    if rest == name:
        return f"inline C: {name.removeprefix('solstis_').lower()}"
    while found := re.match(r"(\d+)", rest):
        length = int(found[1])
        words.append(rest[found.end() : found.end() + length])
        rest = rest[found.end() + length :].removeprefix("_")
    return f"{words[-1]}.{rest}"


def beginnings(source: Path) -> list[tuple[int, str]]:
    """First line and name of the functions of a generated C file."""
    lines = source.read_text().splitlines()
    found = ((number, _BEGIN.match(line)) for number, line in enumerate(lines, 1))
    return [(number, readable(match[1])) for number, match in found if match]


def by_function(costs: Counter[int], source: Path) -> Counter[str]:
    """Costs by line as costs by function."""
    begins = beginnings(source)
    total: Counter[str] = Counter()
    for line, cost in costs.items():
        index = bisect.bisect_right(begins, (line, "~")) - 1
        name = begins[index][1] if index >= 0 else "?"
        total[HEADERS if line == _HEADER_LINE else name] += cost
    return total


# ---- instructions ------------------------------------------------------------------------


def line_costs(lines: Iterator[str], source_name: str) -> Counter[int]:
    """Own instructions of every line of one file, from the output of callgrind.

    What is inlined from other files into functions of this one is counted for line 0.
    """
    costs: Counter[int] = Counter()
    for function_file, file, line, cost in _own_costs(lines):
        if function_file.endswith(source_name):
            costs[line if file.endswith(source_name) else _HEADER_LINE] += cost
    return costs


def _own_costs(lines: Iterator[str]) -> Iterator[tuple[str, str, int, int]]:
    """File of the function, file and number of the line, and its own instructions."""
    files: dict[str, str] = {}
    function_file, file, line, inclusive = "", "", 0, False
    for text in lines:
        if named := _FILE.match(text):
            files[named[2]] = named[3] or files[named[2]]
            if named[1] in ("fl", "fi", "fe"):
                file = files[named[2]]
            if named[1] == "fl":
                function_file = file
        elif text.startswith("calls="):
            inclusive = True
        elif cost := _POSITION.match(text):
            line = _next_line(line, cost[1])
            if not inclusive:
                yield function_file, file, line, int(cost[2])
            inclusive = False


def _next_line(line: int, position: str) -> int:
    if position == "*":
        return line
    return line + int(position) if position[0] in "+-" else int(position)


def count_instructions(benchmark: str, source: Path) -> Costs:
    """Instructions of one unit of work by function."""
    units = instructions.UNITS[benchmark]
    with tempfile.TemporaryDirectory() as folder:
        arguments = [benchmark, "base", str(units), str(units)]
        out = instructions.run_callgrind(Path(folder) / "out", arguments)
        costs = line_costs(iter(out.read_text().splitlines()), source.name)
    return {name: cost / units for name, cost in by_function(costs, source).most_common()}


# ---- time --------------------------------------------------------------------------------


def sample_time(benchmark: str, source: Path, library: Path) -> Costs:
    """Share of the samples of the processor clock by function, in percent."""
    units = str(2_000_000 if benchmark == "playouts" else 1_000_000)
    worker = [sys.executable, "-m", "solstis_ai.instructions", benchmark, "base", units, units]
    with tempfile.TemporaryDirectory() as folder:
        data = f"{folder}/data"
        record = ["perf", "record", "-q", "-e", "cpu-clock", "-F", "2000", "-o", data]
        subprocess.run([*record, *worker], check=True, cwd=tasks.ROOT)
        script = ["perf", "script", "-i", data, "-F", "sym,symoff,dso,ip"]
        samples = subprocess.run(script, capture_output=True, text=True, check=True).stdout
    addresses = _addresses(samples, library)
    resolve = ["addr2line", "-e", str(library), *map(hex, addresses)]
    found = subprocess.run(resolve, capture_output=True, text=True, check=True).stdout
    costs: Counter[int] = Counter()
    for place, number in zip(found.splitlines(), addresses.values(), strict=True):
        name, _, line = place.split(" ")[0].rpartition(":")
        if line.isdigit():
            costs[int(line) if name.endswith(source.name) else _HEADER_LINE] += number
    total = sum(costs.values())
    return {name: 100 * cost / total for name, cost in by_function(costs, source).most_common()}


def _addresses(samples: str, library: Path) -> Counter[int]:
    """Samples by address in the library."""
    symbols = subprocess.run(["nm", str(library)], capture_output=True, text=True, check=True)
    start = {
        words[2]: int(words[0], 16)
        for words in map(str.split, symbols.stdout.splitlines())
        if len(words) == 3
    }
    found: Counter[int] = Counter()
    for sample in re.finditer(r"(\S+)\+0x([0-9a-f]+) \((\S+)\)", samples):
        if sample[3].endswith(library.name) and sample[1] in start:
            found[start[sample[1]] + int(sample[2], 16)] += 1
    return found


def main() -> None:
    """Assert the recorded signatures, then profile and print the costliest functions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("benchmark", choices=("playouts", "search"))
    parser.add_argument("--by", choices=("instructions", "time"), default="instructions")
    parser.add_argument("--top", type=whole, default=25, help="functions to print")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    harness.require_recorded_engine([processor_level()])
    kernel = f"kernel_{processor_level().replace('-', '_')}"
    folder = tasks.ROOT / "solstis_ai" / "search"
    source = folder / f"{kernel}.c"
    if arguments.by == "instructions":
        costs = count_instructions(arguments.benchmark, source)
    else:
        if shutil.which("perf") is None:
            raise SystemExit("perf is not installed")
        library = next(folder.glob(f"{kernel}.*.so"))
        costs = sample_time(arguments.benchmark, source, library)
    if arguments.json:
        print(json.dumps(costs))
        return
    total = sum(costs.values())
    for name, cost in list(costs.items())[: arguments.top]:
        print(f"{cost:10.1f} {cost / total:6.1%}  {name}")
    print(f"{total:10.1f}         all functions")


if __name__ == "__main__":
    main()
