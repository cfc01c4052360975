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

# report_steps_at_end: a table of all steps when the script ends, those of the scripts that it calls among them.
report_steps_at_end() {
  [ -z "${MXINFER_STEP_TIMES:-}" ] || {
    trap end_step EXIT
    return
  }
  MXINFER_STEP_TIMES=$(mktemp)
  export MXINFER_STEP_TIMES
  trap report_steps EXIT
}

report_steps() {
  end_step
  printf '\n%9s %9s  %s\n' time processor step
  awk -F '\t' '
    function minutes(seconds) { return sprintf("%d:%02d", seconds / 60, seconds % 60) }
    { printf "%9s %9s  %s\n", minutes($1), minutes($2), $3; time += $1; processor += $2 }
    END { printf "%9s %9s  %s\n", minutes(time), minutes(processor), "all" }' "$MXINFER_STEP_TIMES"
  rm -f "$MXINFER_STEP_TIMES"
}

# ccache finds a file again that another checkout compiled.
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$repository}
export CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR:-1}
export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}

# Real models to test with, where there are some; the tests that want them are skipped otherwise.
if [ -z "${MXINFER_SHARED_DIR:-}" ] && [ -d "$repository/../shared" ]; then
  MXINFER_SHARED_DIR=$(cd "$repository/../shared" && pwd)
  export MXINFER_SHARED_DIR
fi
