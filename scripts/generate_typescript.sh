#!/bin/sh
# Regenerate examples/typescript/src/gen/ from proto/ and from the error details of
# googleapis-common-protos. The result is committed and never edited by hand.
#
# Needs `npm ci` in examples/typescript, and grpcio-tools for PYTHON (default: python3).
# With --check nothing is written; the exit code says whether the committed files are current.
set -eu

cd "$(dirname "$0")/.."
python="${PYTHON:-python3}"
example="examples/typescript"
google="$("$python" -c 'import google.rpc; print(list(google.rpc.__path__)[0])')/../.."

generate() {
    "$python" -m grpc_tools.protoc \
        -Iproto \
        -I"$google" \
        --plugin="$example/node_modules/.bin/protoc-gen-es" \
        --es_out="$1" \
        --es_opt=target=ts \
        proto/solstis_ai/v1/opponent.proto \
        google/rpc/error_details.proto
}

if [ "${1:-}" != "--check" ]; then
    mkdir -p "$example/src/gen"
    generate "$example/src/gen"
    exit
fi

fresh="$(mktemp -d)"
trap 'rm -rf "$fresh"' EXIT
generate "$fresh"
if ! diff -r "$fresh" "$example/src/gen" >&2; then
    echo "$example/src/gen is stale; run scripts/generate_typescript.sh" >&2
    exit 1
fi
