#!/bin/sh
# Run the guard on instruction counts; installs valgrind where it is missing and apt-get may.
set -eu
cd "$(dirname "$0")/.."

if ! command -v valgrind >/dev/null; then
    become=""
    [ "$(id -u)" = 0 ] || become="sudo -n"
    $become apt-get update -qq || true
    $become apt-get install -y -qq --no-install-recommends valgrind || {
        echo "valgrind is missing and cannot be installed: the guard cannot run" >&2
        exit 2
    }
fi
exec make guard
