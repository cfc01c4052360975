#!/usr/bin/env bash
# Runs tests of this folder in the environment that setup.sh made.
#
#   tests/remote/run.sh BUILD_FOLDER http_test.py [ARGUMENTS OF PYTEST...]
#   tests/remote/run.sh BUILD_FOLDER --python signatures_test.py PROGRAM     one without pytest
#
# It ends with 77 if the environment is not there.
set -euo pipefail

build=$1
shift
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
work="$build/tests/remote"
if ! "$work/venv/bin/python" -c 'import moto, pytest' 2> /dev/null || ! "$work/bin/nginx" -v 2> /dev/null; then
  echo "remote: $* IS SKIPPED: $here/setup.sh has not made what it needs in $work" >&2
  exit 77
fi
export PYTHONDONTWRITEBYTECODE=1
if [ "$1" = --python ]; then
  exec "$work/venv/bin/python" "$here/$2" "${@:3}"
fi
tests=$1
shift
# A folder of its own: those of several tests that run at once are not cleared by each other.
base=$(mktemp -d "${TMPDIR:-/tmp}/mxinfer-remote-XXXXXX")
trap 'rm -rf "$base"' EXIT
"$work/venv/bin/python" -m pytest -q -p no:cacheprovider --basetemp "$base/tests" --nginx "$work/bin/nginx" \
  --mxinfer "$build/bin/mxinfer" "$here/$tests" "$@"
