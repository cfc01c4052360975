#!/usr/bin/env bash
# Runs tests of the release as on other machines: CPUs with fewer instructions than this one, a process with one core, and,
# on an emulator, CPUs with more.
#
#   scripts/test-on-cpus.sh                      every instruction set below this CPU's own, and one core
#   scripts/test-on-cpus.sh --by-commit          one of those instruction sets, another one at each commit, and one core
#   scripts/test-on-cpus.sh avx2 avx512          these alone: baseline, avx2, avx512, avx512_bf16, amx, one-core
#   scripts/test-on-cpus.sh --emulate amx        on an emulated CPU (scripts/emulate-avx512.sh), which has them all; hours
#
# The suites are api, ops, plan and cli; with one core those that ask for cores, too. MXINFER_MAX_ISA limits the instruction set.
set -euo pipefail
source "$(dirname -- "${BASH_SOURCE[0]}")/environment.sh"
report_steps_at_end

isas=(baseline avx2 avx512 avx512_bf16 amx)
suites=(api ops plan cli)
# What needs the whole tree, a network or other programs, which an emulated machine has not.
not_emulated='*Documented*:*Remote*:*Address*:*Fetch*:*Python*'

die() {
  echo "test-on-cpus: $*" >&2
  exit 2
}

has() { grep -qE "^flags.* $1( |\$)" /proc/cpuinfo; }

# The instruction sets of this CPU, lowest first.
own_isas() {
  echo baseline
  has avx2 && has fma || return 0
  echo avx2
  has avx512f && has avx512bw && has avx512cd && has avx512dq && has avx512vl || return 0
  echo avx512
  has avx512_bf16 || return 0
  echo avx512_bf16
  has amx_bf16 || return 0
  echo amx
}

# With one core, what asks how many there are, as well.
test_on_one_core() {
  (
    taskset --pid --cpu-list "$(taskset --pid --cpu-list $BASHPID | grep -oE '[0-9]+' | tail -n 1)" $BASHPID > /dev/null
    run_tests release --label-regex "$(labels "${suites[@]}" base runtime threads alloc table sequence vision)"
  )
}

# labels SUITE...: the expression for their labels.
labels() { echo "^($(IFS='|' && echo "$*"))\$"; }

test_emulated() {
  local suite
  for suite in "${suites[@]}"; do
    echo "test-on-cpus: $suite"
    scripts/emulate-avx512.sh "build/release/tests/mxinfer_${suite}_tests" --gtest_brief=1 "--gtest_filter=-$not_emulated"
  done
}

emulate=false by_commit=false
case ${1:-} in
  --emulate) emulate=true && shift ;;
  --by-commit) by_commit=true && shift ;;
esac
[ -e build/release/CTestTestfile.cmake ] || die "there are no tests in build/release: build them first (CONTRIBUTING.md)"
machines=("$@")
if [ ${#machines[@]} = 0 ]; then
  ! $emulate || die "--emulate needs the names of the CPUs: ${isas[*]}"
  mapfile -t machines < <(own_isas | head -n -1)
  [ ${#machines[@]} = 0 ] || ! $by_commit || machines=("${machines[@]:$(($(third_of_commit) % ${#machines[@]})):1}")
  machines+=(one-core)
fi
for machine in "${machines[@]}"; do
  if [ "$machine" = one-core ]; then
    step "Testing with one core"
    test_on_one_core
    continue
  fi
  [[ " ${isas[*]} " == *" $machine "* ]] || die "'$machine' is no CPU; there are ${isas[*]} and one-core"
  step "Testing as a CPU with $machine"
  export MXINFER_MAX_ISA=$machine
  if $emulate; then
    test_emulated
  else
    [[ " $(own_isas | paste -sd ' ') " == *" $machine "* ]] || die "this CPU has no $machine; give --emulate"
    run_tests release --label-regex "$(labels "${suites[@]}")"
  fi
  unset MXINFER_MAX_ISA
done
