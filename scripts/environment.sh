# shellcheck shell=bash
# To be sourced by the scripts: where the repository is, and what its builds have in common.
repository=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
cd "$repository" || exit 1

# step WHAT: says what begins, with the time since the script began, and notes what the step before it took.
step() {
  end_step
  printf '\n==> [%d:%02d] %s\n' $((SECONDS / 60)) $((SECONDS % 60)) "$*"
  step_name=$* step_start=$SECONDS step_ticks=$(ticks_of_children)
}

# end_step: for a script that goes on in another one, whose steps are its own.
end_step() {
  if [ -n "${step_name:-}" ] && [ -n "${MXINFER_STEP_TIMES:-}" ]; then
    local ticks=$(($(ticks_of_children) - step_ticks))
    printf '%s\t%s\t%s\n' $((SECONDS - step_start)) $((ticks / $(getconf CLK_TCK))) "$step_name" >> "$MXINFER_STEP_TIMES"
  fi
  step_name=
}

# The processor time of what this shell has started and waited for.
ticks_of_children() { awk '{print $16 + $17}' "/proc/$$/stat" 2> /dev/null || echo 0; }

# report_steps_at_end: when the script ends, a table of all steps and one of the longest tests. A script that it calls adds its
# own to them.
report_steps_at_end() {
  [ -z "${MXINFER_STEP_TIMES:-}" ] || {
    trap end_step EXIT
    return
  }
  MXINFER_STEP_TIMES=$(mktemp) MXINFER_TEST_TIMES=$(mktemp)
  export MXINFER_STEP_TIMES MXINFER_TEST_TIMES
  trap report_steps EXIT
}

report_steps() {
  end_step
  printf '\n%9s %9s  %s\n' time processor step
  awk -F '\t' '
    function minutes(seconds) { return sprintf("%d:%02d", seconds / 60, seconds % 60) }
    { printf "%9s %9s  %s\n", minutes($1), minutes($2), $3; time += $1; processor += $2 }
    END { printf "%9s %9s  %s\n", minutes(time), minutes(processor), "all" }' "$MXINFER_STEP_TIMES"
  report_tests
  rm -f "$MXINFER_STEP_TIMES" "$MXINFER_TEST_TIMES"
}

report_tests() {
  [ -s "$MXINFER_TEST_TIMES" ] || return 0
  printf '\n%9s  %-9s %s\n' seconds build 'the twenty longest tests'
  sort -rn "$MXINFER_TEST_TIMES" | awk -F '\t' 'NR <= 20 { printf "%9.1f  %-9s %s\n", $1, $2, $3 }'
}

# run_tests BUILD ARGUMENTS...: the tests of build/BUILD that ctest's arguments select. Prints what a test prints if it fails.
run_tests() {
  local build=$1 results status=0
  shift
  results=$(mktemp)
  ctest --test-dir "build/$build" --output-on-failure --no-tests=error --parallel "$(nproc)" \
    --output-junit "$results" "$@" || status=$?
  [ -z "${MXINFER_TEST_TIMES:-}" ] ||
    sed -n 's/.*<testcase name="\([^"]*\)".* time="\([^"]*\)".*/\2\t'"$build"'\t\1/p' "$results" >> "$MXINFER_TEST_TIMES"
  rm -f "$results"
  return "$status"
}

# The labels of the suites that take long and find little: bugs planted into kernels, races, the networks of others.
long_suites='^(races|planted|sweep)$'
# The names of those of what is around the library: packages, servers of models, a Spark cluster, memory over a minute.
surrounding_suites='^((package|remote|spark)[.]|soak$)'

# third_of_commit: 0, 1 or 2, another one for each of three commits in a row.
third_of_commit() {
  local number
  if [ "$(git rev-parse --is-shallow-repository)" = true ]; then
    number=$((16#$(git rev-parse HEAD | cut -c 1-8)))  # its commits cannot be counted
  else
    number=$(git rev-list --count HEAD)
  fi
  echo $((number % 3))
}

# a_third: arguments of ctest that select every third test of those that its other arguments do, which of them by the commit.
a_third() { echo "--tests-information $(($(third_of_commit) + 1)),,3"; }

# ccache finds a file again that another checkout compiled.
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$repository}
export CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR:-1}
export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}

# Real models to test with, where there are some; the tests that want them are skipped otherwise.
if [ -z "${MXINFER_SHARED_DIR:-}" ] && [ -d "$repository/../shared" ]; then
  MXINFER_SHARED_DIR=$(cd "$repository/../shared" && pwd)
  export MXINFER_SHARED_DIR
fi
