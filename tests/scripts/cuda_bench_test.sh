#!/usr/bin/env bash
# mxinfer_cuda_bench on the emulator: it measures layers and networks, and says what is wrong.
#
#   cuda_bench_test.sh BENCH EMULATOR SOURCE_DIR
set -euo pipefail
bench=$1 source_dir=$3
export MXINFER_CUDA_LIBRARY=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

die() {
  echo "cuda_bench_test: $*" >&2
  exit 1
}

# Every layer has a kernel that is planned, and a fastest one for each precision.
"$bench" layers --tiny --calls 1 --rounds 1 > "$folder/layers.txt"
count() { grep -cE "$1" "$folder/layers.txt" || true; }
[ "$(count '^(conv|dense|scores|softmax|sum|depthwise|scale_shift,|add,|layer|max|lstm) ?')" = 31 ] || die "there are not 31 layers: $(cat "$folder/layers.txt")"
[ "$(count planned)" = 79 ] || die "not one kernel of each of 17 layers and 3 precisions, and of 14 and 2 types, is planned"
[ "$(count fastest)" -ge 79 ] || die "kernels are missing that are fastest"
for kernel in implicit_gemm_128x128_f32 implicit_gemm_64x64_tf32 implicit_gemm_128x64_f16 winograd_4x4_3x3_f32 gemm_tile_128_f32 \
  gemm_tensor_64x64_f16 softmax_f32 softmax_f16 conv_depthwise_tiles_f16 implicit_gemm_patches_f16 implicit_gemm_patches_tf32 scale_shift_f16 row_norm_f32 pool_f16 \
  rnn_persistent_f32 rnn_persistent_f16 rnn_step_f32; do
  [ "$(count "^  $kernel ")" -ge 1 ] || die "$kernel is not measured"
done
"$bench" layers --tiny --calls 1 --rounds 1 --precision bfloat16 --layer 'dense' > "$folder/layers.txt"
[ "$(count '^conv')" = 0 ] || die "--layer dense measures convolutions"
[ "$(count "gemm_tensor_.*_bf16")" -ge 4 ] || die "--precision bfloat16 measures something else"

# An image of zeros, as NumPy writes it.
mkdir "$folder/b1" "$folder/b2"
for batch in 1 2; do
  {
    printf '\x93NUMPY\x01\x00v\x00%-117s\n' "{'descr': '<f4', 'fortran_order': False, 'shape': ($batch, 1, 32, 32), }"
    head -c $((4096 * batch)) /dev/zero
  } > "$folder/b$batch/data.npy"
done
network() { "$bench" network "$source_dir/models/digits" --inputs "$folder/b1" --calls 1 --rounds 1 --seconds 0.01 "$@"; }
network --inputs "$folder/b2/" --outputs "$folder/out" > "$folder/network.txt"
grep -cE '^\{"inputs":"b[12]","precision":"(float32|tf32|float16)","device_ms":[0-9.e-]+,"host_ms":[0-9.e-]+,"first_ms":[0-9.e-]+\}$' \
  "$folder/network.txt" | grep -qx 6 || die "not two batch sizes in three precisions: $(cat "$folder/network.txt")"
[ "$(stat -c %s "$folder/out/b2-tf32/0.npy")" = $((128 + 2 * 10 * 4)) ] || die "the outputs of two images are not 20 floats"
MXINFER_SIMT_ARCH=7.5 network --precision tf32 > "$folder/network.txt" && die "a GPU without tf32 computes it"
grep -q '"inputs":"b1","precision":"tf32","error":".*tf32' "$folder/network.txt" || die "no reason: $(cat "$folder/network.txt")"

# Invalid command lines.
for words in '' 'network' 'network model' 'layers --layer 11x11' 'layers --rounds 0' 'layers --calls' 'layers --colour red' 'layers more' \
  'layers --precision int8'; do
  status=0
  # shellcheck disable=SC2086  # words are several
  "$bench" $words > /dev/null 2>&1 || status=$?
  [ "$status" = 2 ] || die "'$words' ends with $status"
done
"$bench" --help | grep -q 'mxinfer_cuda_bench layers' || die "--help"
echo "measured"
