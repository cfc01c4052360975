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
name=spark what="ON SPARK"
source "$here/../support/python_environment.sh"

[ -n "${JAVA_HOME:-}" ] || command -v java > /dev/null ||
  skip "java is not installed (scripts/install-dependencies.sh java)"
mkdir -p "$work"
make_python_environment numpy,pandas,PIL,pyarrow,pyspark,pytest
say "$venv is complete"
