#!/usr/bin/env bash
# The table of steps that a script prints when it ends, whether or not it fails, with those of a script that it calls.
#
#   steps_test.sh SOURCE_DIR
set -euo pipefail

environment=$1/scripts/environment.sh
unset MXINFER_STEP_TIMES

die() {
  echo "steps_test: $*" >&2
  exit 1
}

# run SCRIPT...: its output; $status is its exit status.
run() {
  status=0
  output=$(bash -c "set -euo pipefail; source '$environment'; report_steps_at_end; $1" 2>&1) || status=$?
}

run "step first; step second; end_step; bash -c 'source \"$environment\"; report_steps_at_end; step within'; step last; false"
[ "$status" = 1 ] || die "a script that fails ends with $status"
table=$(sed -n '/processor  step$/,$p' <<< "$output")
names=$(awk '{print $3}' <<< "$table" | paste -sd ' ')
[ "$names" = "step first second within last all" ] || die "the steps are '$names' in: $output"
[ "$(grep -c 'processor  step$' <<< "$output")" = 1 ] || die "not one table: $output"

# A second of processor time, in a program that the step starts.
run "step busy; timeout 1.5 bash -c 'while :; do :; done' || true; step idle; sleep 1.2"
awk '$3 == "busy" && $2 != "0:00" { busy = 1 } $3 == "idle" && $1 != "0:00" && $2 == "0:00" { idle = 1 }
  END { exit !(busy && idle) }' <<< "$output" || die "no times in: $output"
