#!/usr/bin/env bash
# Makes the Python environment that the tests of this folder run in, BUILD_FOLDER/tests/spark/venv: PySpark, with Spark's
# jars, and what it needs. Where it is there already it is done at once.
#
#   tests/spark/setup.sh BUILD_FOLDER PYTHON
#
# It ends with 77 if it cannot be had, as without a network or without Java, and says why.
set -euo pipefail

build=$1 python=$2
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
work="$build/tests/spark"
venv="$work/venv"

say() { echo "spark: $*"; }
skip() {
  echo "spark: $*" >&2
  echo "spark: THE TESTS ON SPARK ARE SKIPPED" >&2
  exit 77
}

# The versions wanted, and the Python that they were installed for.
stamp() {
  "$python" -c 'import sys; print(sys.version)' && cat "$here/requirements.txt"
}

has_python() {
  [ -f "$work/stamp" ] && stamp | cmp -s - "$work/stamp" &&
    "$venv/bin/python" -c 'import numpy, pandas, PIL, pyarrow, pyspark, pytest' 2> /dev/null
}

[ -n "${JAVA_HOME:-}" ] || command -v java > /dev/null ||
  skip "java is not installed (scripts/install-dependencies.sh java)"
mkdir -p "$work"
if ! has_python; then
  say "making $venv"
  rm -rf "$venv" "$work/stamp"
  "$python" -m venv "$venv" || skip "'$python' cannot make a virtual environment"
  "$venv/bin/python" -m pip install --disable-pip-version-check --quiet --requirement "$here/requirements.txt" ||
    skip "pip could not install what requirements.txt names"
  stamp > "$work/stamp"
  has_python || skip "what requirements.txt names was installed and does not run"
fi
say "$venv is complete"
