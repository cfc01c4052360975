# shellcheck shell=bash disable=SC2154  # name, what, here, work and python are of who sources it
# The Python environment of a folder of tests, BUILD_FOLDER/tests/NAME/venv, with what its requirements.txt names. For the
# setup.sh of such a folder, which sets `name`, `what` (the tests that are skipped without it), `here` (its folder), `work`
# and `python`, and sources this.
#
#   make_python_environment numpy,pytest     # the modules that have to be there

venv="$work/venv"

say() { echo "$name: $*"; }

# Ends with 77.
skip() {
  echo "$name: $*" >&2
  echo "$name: THE TESTS $what ARE SKIPPED" >&2
  exit 77
}

# The versions wanted, and the Python that they were installed for.
stamp() {
  "$python" -c 'import sys; print(sys.version)' && cat "$here/requirements.txt"
}

has_python() {
  [ -f "$work/stamp" ] && stamp | cmp -s - "$work/stamp" && "$venv/bin/python" -c "import $1" 2> /dev/null
}

# Where it is there already it is done at once.
make_python_environment() {
  local modules=$1
  has_python "$modules" && return
  say "making $venv"
  rm -rf "$venv" "$work/stamp"
  "$python" -m venv "$venv" || skip "'$python' cannot make a virtual environment"
  "$venv/bin/python" -m pip install --disable-pip-version-check --quiet --requirement "$here/requirements.txt" ||
    skip "pip could not install what requirements.txt names"
  stamp > "$work/stamp"
  has_python "$modules" || skip "what requirements.txt names was installed and does not run"
}
