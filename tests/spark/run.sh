#!/usr/bin/env bash
# Runs tests of this folder in the environment that setup.sh made.
#
#   tests/spark/run.sh BUILD_FOLDER cluster_test.py [ARGUMENTS OF PYTEST...]
#
# The package mxinfer is the one that the test python.package leaves in BUILD_FOLDER/tests/python/alone; MXINFER_PACKAGE names
# another folder that holds it. It ends with 77 if the environment is not there.
set -euo pipefail

build=$1 tests=$2
shift 2
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
python="$build/tests/spark/venv/bin/python"
package=${MXINFER_PACKAGE:-$build/tests/python/alone}
if ! "$python" -c 'import pyspark, pytest' 2> /dev/null; then
  echo "spark: $tests IS SKIPPED: $here/setup.sh has not made what it needs in $build/tests/spark" >&2
  exit 77
fi
if ! PYTHONPATH="$package" "$python" -c 'import mxinfer'; then
  echo "spark: '$package' has no package mxinfer for $python" >&2
  exit 1
fi
# A folder of its own: those of several tests that run at once are not cleared by each other.
base=$(mktemp -d "${TMPDIR:-/tmp}/mxinfer-spark-XXXXXX")
trap 'rm -rf "$base"' EXIT
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$package" PYSPARK_PYTHON="$python" TMPDIR="$base"
"$python" -m pytest -q -p no:cacheprovider --basetemp "$base/tests" "$here/$tests" "$@"
