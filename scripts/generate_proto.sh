#!/bin/sh
# Regenerate solstis_ai/v1/ from proto/. The result is committed and never edited by hand.
#
# Needs grpcio-tools==1.80.0, pinned because generated code that is newer than a user's
# runtime fails at import. PYTHON chooses the interpreter (default: python3).
# With --check nothing is written; the exit code says whether the committed files are current.
set -eu

cd "$(dirname "$0")/.."
python="${PYTHON:-python3}"
wanted="1.80.0"

found="$("$python" -c 'from importlib.metadata import version; print(version("grpcio-tools"))')"
if [ "$found" != "$wanted" ]; then
    echo "grpcio-tools $wanted is needed to generate, found $found" >&2
    exit 1
fi

generate() {
    "$python" -m grpc_tools.protoc \
        -Iproto \
        --python_out="$1" \
        --pyi_out="$1" \
        --grpc_python_out="$1" \
        proto/solstis_ai/v1/opponent.proto
}

if [ "${1:-}" != "--check" ]; then
    generate .
    exit
fi

fresh="$(mktemp -d)"
trap 'rm -rf "$fresh"' EXIT
generate "$fresh"
for file in "$fresh"/solstis_ai/v1/*; do
    if ! cmp -s "$file" "solstis_ai/v1/$(basename "$file")"; then
        echo "solstis_ai/v1/$(basename "$file") is stale; run 'make proto'" >&2
        exit 1
    fi
done
