#!/usr/bin/env bash
# The tests that tests/cuda/every_kernel.txt names call every launcher of kernels/cuda_library/kernel_list.inc, and run every
# kernel of kernels/*/*.cu: what is left out would not be checked on a GPU by compute-sanitizer.
#
#   every_kernel_test.sh TESTS NOTED_LIBRARY EMULATOR SOURCE_DIR
set -euo pipefail
tests=$1 noted=$2 emulator=$3 source_dir=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
touch "$folder/launchers" "$folder/kernels"

filter=$(grep -v '^#' "$source_dir/tests/cuda/every_kernel.txt" | paste -sd:)
MXINFER_CUDA_LIBRARY=$noted MXINFER_CUDA_LIBRARY_BEHIND=$emulator MXINFER_LAUNCHERS=$folder/launchers \
  MXINFER_SIMT_KERNELS=$folder/kernels "$tests" --gtest_brief=1 "--gtest_filter=$filter"

status=0
# complain WHAT EXPECTED FOUND: names that EXPECTED has, and FOUND lacks.
complain() {
  local missing
  missing=$(comm -23 <(sort -u "$2") <(sort -u "$3") | paste -sd' ')
  [ -z "$missing" ] || {
    echo "every_kernel_test: no test of tests/cuda/every_kernel.txt runs $1: $missing" >&2
    status=1
  }
}

sed -n 's/^MXINFER_CUDA_KERNEL(\(.*\))$/\1/p' "$source_dir/kernels/cuda_library/kernel_list.inc" > "$folder/all_launchers"
find "$source_dir/kernels" \( -name '*.cu' -o -name '*.h' \) -exec \
  grep -hPzo '(?m)^__global__ void\s+(__launch_bounds__\(([^()]|\([^()]*\))*\)\s+)?\K\w+(?=\()' {} + | tr '\0' '\n' > "$folder/all_kernels"
sed 's/<.*//' "$folder/kernels" > "$folder/kernel_names"
[ -s "$folder/all_launchers" ] && [ -s "$folder/all_kernels" ]
complain launcher "$folder/all_launchers" "$folder/launchers"
complain kernel "$folder/all_kernels" "$folder/kernel_names"
echo "$(wc -l < "$folder/all_launchers") launchers, $(sort -u "$folder/all_kernels" | wc -l) names of kernels, \
$(wc -l < "$folder/kernels") kernels with their arguments of templates"
exit $status
