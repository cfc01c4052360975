#!/usr/bin/env bash
# The kernels on a GPU, on a machine that has one: all tests, the tests that run every kernel under compute-sanitizer, and
# networks beside PyTorch. Four minutes, and the time to build.
#
#   tests/cuda.sh                      builds and does all of this
#   tests/cuda.sh --pack               needs no GPU: builds, and puts what another machine needs into build/cuda-packed.tar.xz
#   tests/cuda.sh --built [PATH]       builds nothing, but takes a folder or such an archive; by default build/cuda-packed.tar.xz,
#                                      else build/cuda
#   tests/cuda.sh --python PYTHON      measures with this Python, which has NumPy and PyTorch; by default with python3
#   tests/cuda.sh --seconds N          the time to test and measure (240)
#   tests/cuda.sh --networks A,B       measures these networks of bench/peers/beside_torch/architectures.py
#   tests/cuda.sh --quick              measures less: two networks alone, at batch 32, without tf32
#   tests/cuda.sh --layers             measures each layer of bench/cuda with each kernel, too: half a minute
#   tests/cuda.sh --no-sanitizers      without compute-sanitizer
#   tests/cuda.sh --no-bench           without measuring
#   tests/cuda.sh -DOPTION=VALUE       configures the build with it: -DMXINFER_CUDA_ARCHITECTURES=90-real builds in a fifth of the time
#   tests/cuda.sh --peers              sets up PyTorch, ONNX Runtime and TensorRT (bench/peers), and measures beside them, too
#
# Needs NVIDIA's driver, and to build what scripts/install-dependencies.sh build test cuda installs. Nothing else is installed.
# compute-sanitizer is of the CUDA toolkit; it is looked for on the PATH and in /usr/local/cuda. What fails on the GPU does not
# keep the rest from running, for time on a GPU is dear: the failures are listed at the end, and the status is 1.
set -euo pipefail
# shellcheck source=scripts/environment.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../scripts/environment.sh"

die() {
  echo "tests/cuda.sh: $*" >&2
  exit "${status:-1}"
}

bench=true sanitizers=true peers=false layers=false pack=false built='' python='' limit=240 quick=() definitions=()
networks=''
while [ $# -gt 0 ]; do
  case $1 in
    --no-bench) bench=false ;;
    --no-sanitizers) sanitizers=false ;;
    --peers) peers=true ;;
    -D*) definitions+=("$1") ;;
    --layers) layers=true ;;
    --pack) pack=true ;;
    --quick) quick=(--quick) ;;
    --python | --seconds | --networks)
      [ $# -gt 1 ] || status=2 die "$1 needs a value"
      case $1 in
        --python) python=$2 ;;
        --seconds) limit=$2 ;;
        --networks) networks=$2 ;;
      esac
      shift
      ;;
    --built)
      built=build/cuda
      [ ! -f build/cuda-packed.tar.xz ] || built=build/cuda-packed.tar.xz
      if [ $# -gt 1 ] && [ "${2#--}" = "$2" ]; then
        built=$2
        shift
      fi
      ;;
    *) status=2 die "'$1' is no option; the first lines of this script list them" ;;
  esac
  shift
done
case $limit in '' | *[!0-9]*) status=2 die "--seconds '$limit': expected a whole number" ;; esac
report_steps_at_end

build() {
  step "Building libmxinfer_cuda.so, the tests and the programs"
  # Nothing of a folder that is new is changed before it is tested: files are compiled together.
  [ -e build/cuda/CMakeCache.txt ] || definitions=(-DMXINFER_UNITY=ON "${definitions[@]}")
  cmake --preset cuda -DMXINFER_WERROR=ON -DMXINFER_BUILD_TESTS=ON "${definitions[@]}"
  cmake --build build/cuda --target mxinfer_cuda mxinfer_cuda_tests mxinfer_cli mxinfer_cuda_bench
}

files_of_build=(libmxinfer_cuda.so tests/cuda/mxinfer_cuda_tests bin/mxinfer bench/mxinfer_cuda_bench)

# The libraries that a file is linked with, but for those of the compiler and of the C library.
libraries_of() {
  ldd "$1" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' |
    grep -vE '/(libc|libm|libdl|librt|libpthread|libgcc_s|libstdc[+][+])[.]so' || true
}

# What another machine needs of build/cuda: the files, stripped, and their libraries, OpenBLAS too, which is loaded by name.
pack() {
  local packed=build/cuda-packed file library openblas
  step "Packing"
  rm -rf "$packed"
  mkdir -p "$packed/lib"
  for file in "${files_of_build[@]}"; do
    mkdir -p "$packed/$(dirname "$file")"
    strip -o "$packed/$file" "build/cuda/$file"
    libraries_of "build/cuda/$file"
  done > "$packed/libraries"
  openblas=$(ldconfig -p | awk '$1 == "libopenblas.so.0" && !found++ { print $NF }')
  if [ -n "$openblas" ]; then
    echo "$openblas" >> "$packed/libraries"
    libraries_of "$openblas" >> "$packed/libraries"
  fi
  sort -u "$packed/libraries" | while read -r library; do
    cp -L "$library" "$packed/lib/"
  done
  rm "$packed/libraries"
  echo "$repository" > "$packed/source_dir"
  # The programs have the same library in them: a window as large as all of them finds it again.
  XZ_OPT='-9 --threads=1' tar -C build -cJf "$packed.tar.xz" cuda-packed
  rm -rf "$packed"
  ls -l "$packed.tar.xz"
}

# Tests read models and images of the tree where it was when they were compiled.
find_sources() {
  local there=$repository
  if [ -f "$built/source_dir" ]; then
    there=$(cat "$built/source_dir")
  elif [ -f "$built/CMakeCache.txt" ]; then
    there=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$built/CMakeCache.txt")
  fi
  [ ! -e "$there/models" ] || return 0
  if ! mkdir -p "$(dirname "$there")" || ! ln -sfn "$repository" "$there"; then
    die "the tests were compiled in $there and read files there; make it a link to $repository"
  fi
}

if [ -z "$built" ]; then
  build
  built=build/cuda
elif $pack; then
  status=2 die "--pack builds, and --built does not"
fi
if $pack; then
  pack
  exit
fi
if [ -f "$built" ]; then
  mkdir -p build
  tar -C build -xf "$built"
  built=build/cuda-packed
fi
[ -d "$built" ] || die "there is no $built"
built=$(realpath "$built")
for file in "${files_of_build[@]}"; do
  [ "$file" = libmxinfer_cuda.so ] || [ -x "$built/$file" ] || die "there is no $built/$file"
done
MXINFER_CUDA_LIBRARY=${MXINFER_CUDA_LIBRARY:-$built/libmxinfer_cuda.so}
[ -f "$MXINFER_CUDA_LIBRARY" ] || die "there is no $MXINFER_CUDA_LIBRARY"
MXINFER_CUDA_LIBRARY=$(realpath "$MXINFER_CUDA_LIBRARY")
export MXINFER_CUDA_LIBRARY
tests=$built/tests/cuda/mxinfer_cuda_tests command=$built/bin/mxinfer measure=$built/bench/mxinfer_cuda_bench
library_path=$built/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
with_libraries() { LD_LIBRARY_PATH=$library_path "$@"; }
find_sources
end=$((SECONDS + limit))

step "Looking for the GPU"
nvidia-smi --query-gpu=index,name,driver_version,compute_cap,memory.total --format=csv
with_libraries bash tests/scripts/cuda_library_test.sh "$command" "$MXINFER_CUDA_LIBRARY" . | grep -E ' seven$' ||
  die "no GPU can be used here, see above"

# The table wants networks, which are made while the GPU is tested.
making=''
if [ -z "$networks" ]; then
  networks=resnet18,resnet50,mobilenet_v2,vgg16,densenet121,bert_base,lstm
  [ ${#quick[@]} = 0 ] || networks=resnet50,bert_base
fi
IFS=, read -ra networks <<< "$networks"
if $bench; then
  if ! "${python:-python3}" -c 'import numpy' 2> /dev/null; then
    [ -z "$python" ] || die "$python has no NumPy"
    echo "python3 has no NumPy: networks are not measured. Name a Python that has it: --python PATH"
  else
    nice "${python:-python3}" bench/peers/beside_torch/make.py build/gpu-networks --network "${networks[@]}" &
    making=$!
  fi
fi

failures=()
step "Testing on the GPU"
with_libraries "$tests" --gtest_brief=1 || failures+=("tests failed")

# Addresses out of bounds; races in shared memory; barriers that not all threads reach. The tools make a test up to a hundred
# times as slow, so that they get a part of the tests, which runs every kernel. Tests themselves see what the driver refuses.
sanitizer_seconds=40
PATH=$PATH:/usr/local/cuda/bin
if ! $sanitizers; then
  echo "without compute-sanitizer"
elif ! command -v compute-sanitizer > /dev/null; then
  echo "compute-sanitizer is neither on the PATH nor in /usr/local/cuda/bin: no memcheck, racecheck and synccheck"
else
  filter=$(grep -v '^#' tests/cuda/every_kernel.txt | paste -sd:)
  for tool in memcheck racecheck synccheck; do
    step "Testing every kernel under $tool"
    code=0
    with_libraries timeout "$sanitizer_seconds" compute-sanitizer --tool "$tool" --error-exitcode 1 --report-api-errors no \
      "$tests" --gtest_brief=1 "--gtest_filter=$filter" || code=$?
    case $code in
      0) ;;
      124) failures+=("$tool did not end within $sanitizer_seconds s") ;;
      *) failures+=("$tool found something") ;;
    esac
  done
fi

seconds_left() { echo $((end > SECONDS + 30 ? end - SECONDS : 30)); }
if $bench && [ ${#quick[@]} = 0 ]; then
  step "Measuring images of any size in front of ResNet-18, in one graph and beside it"
  with_libraries "$command" bench --preset end-to-end --device cuda:0 --runs 100 || failures+=("bench --preset end-to-end failed")
fi
if [ -n "$making" ]; then
  wait "$making" || die "the networks could not be made, see above"
  beside=()
  "${python:-python3}" -c 'import torch' 2> /dev/null || {
    echo "${python:-python3} has no PyTorch: mxinfer is measured alone"
    beside=(--no-torch)
  }
  step "Measuring networks"
  "${python:-python3}" bench/peers/beside_torch/table.py --bench "$measure" --library-path "$library_path" \
    --budget "$(seconds_left)" "${quick[@]}" "${beside[@]}" --network "${networks[@]}" || failures+=("networks failed, see their table")
fi
if $layers; then
  step "Measuring layers"
  with_libraries "$measure" layers || failures+=("layers failed")
fi
if $peers; then
  step "Measuring networks beside PyTorch, ONNX Runtime and TensorRT"
  sh bench/peers/run.sh --quick --device cuda:0 --mxinfer "$command" || failures+=("bench/peers failed")
fi
[ ${#failures[@]} = 0 ] || die "$(printf '%s; ' "${failures[@]}")see above"
