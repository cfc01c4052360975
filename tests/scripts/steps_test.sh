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

# Two seconds of processor time, however long they take, in a program that the step starts.
run "step busy; bash -c 'ulimit -t 2; while :; do :; done' || true; step idle; sleep 1.2"
awk '$3 == "busy" && $2 != "0:00" { busy = 1 } $3 == "idle" && $1 != "0:00" && $2 == "0:00" { idle = 1 }
  END { exit !(busy && idle) }' <<< "$output" || die "no times in: $output"

# The tests of two builds, of which one fails: all are in the table, the longest first.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder"/build/{one,two}
printf '%s\n' 'add_test(quick true)' 'add_test(slow sleep 1.1)' > "$folder/build/one/CTestTestfile.cmake"
cat > "$folder/build/two/CTestTestfile.cmake" << 'TESTS'
add_test(wrong false)
add_test(n1 true)
add_test(n2 true)
add_test(n3 true)
add_test(n4 true)
add_test(n5 true)
add_test(n6 true)
add_test(odd true)
set_tests_properties(n1 n2 n3 n4 n5 n6 PROPERTIES LABELS numbers)
TESTS
run "step tests; cd '$folder'; run_tests one; run_tests two"
[ "$status" != 0 ] || die "a test that fails lets the script go on"
table=$(sed -n '/the twenty longest tests$/,$p' <<< "$output")
[ "$(sed -n 2p <<< "$table" | awk '{print $2, $3}')" = "one slow" ] || die "the longest test is not the first in: $output"
for name in quick wrong odd; do
  grep -q " $name\$" <<< "$table" || die "$name is not in the table of: $output"
done

# A third of those that the labels select, and with the two others all of them, each once.
selected=
for third in 1 2 3; do
  run "cd '$folder'; run_tests two --label-regex '^numbers\$' --tests-information $third,,3"
  [ "$(grep -c Passed <<< "$output")" = 2 ] || die "not two tests: $output"
  selected+=$(grep -oE 'n[1-6] ' <<< "$output" | sort -u | tr -d '\n')
done
[ "$(tr ' ' '\n' <<< "$selected" | sort | tr -d '\n')" = n1n2n3n4n5n6 ] || die "three thirds are $selected"

# Which of them goes by the number of commits.
git init --quiet "$folder/repository"
for number in 1 2 3; do
  git -C "$folder/repository" -c user.name=test -c user.email=test@example.org commit --quiet --allow-empty -m "$number"
  run "cd '$folder/repository'; a_third"
  [ "$(head -n 1 <<< "$output")" = "--tests-information $((number % 3 + 1)),,3" ] || die "at commit $number: $output"
done

# The suites that the sanitizers watch at one of three commits are, together, all of them.
suites=$(sed -n 's/^foreach(folder \(.*\))$/\1/p' "$1/tests/CMakeLists.txt")
[ "$(wc -w <<< "$suites")" -gt 10 ] || die "tests/CMakeLists.txt has no list of suites: $suites"
for suite in $suites cuda simt soak; do
  grep -qE "(readers|suites|SUITES)=.*[';]$suite[';\"]" "$1/.ci/run" || die ".ci/run watches $suite by no sanitizer"
done
