# Language level, warnings, sanitizers and ccache, for every target of this project.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

find_program(MXINFER_CCACHE ccache)
if(MXINFER_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${MXINFER_CCACHE}")
endif()
if(CMAKE_CXX_COMPILER_LAUNCHER)
  option(MXINFER_PRECOMPILE_HEADERS "Compile headers once that most files read" OFF)
else()
  option(MXINFER_PRECOMPILE_HEADERS "Compile headers once that most files read" ON)
endif()
if(MXINFER_BUILD_TESTS AND NOT MXINFER_SANITIZE)
  option(MXINFER_UNITY "Compile the files of a folder together" OFF)  # who tests changes files
else()
  option(MXINFER_UNITY "Compile the files of a folder together" ON)
endif()
if(MXINFER_SANITIZE)
  # clang refuses a header that was compiled at -O1 in a file at -O0, and most files are cold here.
  set(MXINFER_PRECOMPILE_HEADERS OFF)
endif()

# Which of Highway's targets kernels are not compiled for. x86-64: the steps between the baseline, AVX2 and AVX-512 bring
# little and cost build time. AArch64: SVE's vectors have no size that is known, and cannot be elements of arrays.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)")
  set(MXINFER_HIGHWAY_TARGETS "HWY_DISABLED_TARGETS=(HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128)")
else()
  set(MXINFER_HIGHWAY_TARGETS "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_SSE4|HWY_AVX3_DL)")
  # With a sanitizer AVX-512 takes as long to compile as the other targets together, and threads meet in the same way without.
  if(MXINFER_SANITIZE MATCHES "thread")
    option(MXINFER_AVX512 "Compile the kernels for AVX-512" OFF)
  else()
    option(MXINFER_AVX512 "Compile the kernels for AVX-512" ON)
  endif()
  if(NOT MXINFER_AVX512)
    set(MXINFER_HIGHWAY_TARGETS "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_SSE4|HWY_AVX3|HWY_AVX3_DL)")
  endif()
endif()

add_library(mxinfer_settings INTERFACE)
target_compile_options(mxinfer_settings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
  -Woverloaded-virtual $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)  # g++ 12 reports -Wrestrict falsely on std::string
if(MXINFER_WERROR)
  target_compile_options(mxinfer_settings INTERFACE -Werror)
endif()
# The same sums on every machine: the compiler may not contract a*b+c on its own (kernels call fma where they mean it).
target_compile_options(mxinfer_settings INTERFACE -ffp-contract=off)

# For what hardly takes time: -O3 would only take longer to compile, and with a sanitizer's checks even -O1 takes twice as long.
set(MXINFER_COLD_OPTIONS "$<$<CONFIG:Release>:-O1>")

if(MXINFER_SANITIZE)
  set(MXINFER_COLD_OPTIONS -O0)
  # -O1: the sanitizers' checks make -O2 take three times as long to compile, for tests that hardly run faster.
  add_compile_options("-fsanitize=${MXINFER_SANITIZE}" -fno-omit-frame-pointer -fno-sanitize-recover=all -g1 -O1)
  if(MXINFER_SANITIZE MATCHES "thread")
    add_compile_options(-fno-tree-sra)  # g++ 12 fails in that pass at -O1 on arrays of vectors whose accesses are instrumented
  endif()
  add_link_options("-fsanitize=${MXINFER_SANITIZE}")
endif()
