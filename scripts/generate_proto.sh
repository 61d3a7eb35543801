#!/bin/sh
# Regenerate solstis_ai/v1/ from proto/. The result is committed and never edited by hand.
#
# Needs grpcio-tools==1.80.0, pinned because generated code that is newer than a user's
# runtime fails at import. PYTHON chooses the interpreter (default: python3).
set -eu

cd "$(dirname "$0")/.."
python="${PYTHON:-python3}"
wanted="1.80.0"

found="$("$python" -c 'from importlib.metadata import version; print(version("grpcio-tools"))')"
if [ "$found" != "$wanted" ]; then
    echo "grpcio-tools $wanted is needed to generate, found $found" >&2
    exit 1
fi

"$python" -m grpc_tools.protoc \
    -Iproto \
    --python_out=. \
    --pyi_out=. \
    --grpc_python_out=. \
    proto/solstis_ai/v1/opponent.proto
