# Finds each library, and names the Debian package where one is missing, and the option that builds without, if there is one.

# mxinfer_missing(WHAT PACKAGE [OPTION])
function(mxinfer_missing what package)
  set(without "")
  if(ARGC GREATER 2)
    set(without " To build without it, pass ${ARGV2}.")
  endif()
  message(FATAL_ERROR
    "mxinfer needs ${what}, which was not found. On Debian or Ubuntu install it with:\n"
    "  apt-get install ${package}\n"
    "then configure again.${without}")
endfunction()

find_package(PkgConfig QUIET)
if(NOT PkgConfig_FOUND)
  mxinfer_missing("pkg-config" "pkg-config")
endif()

find_package(nlohmann_json QUIET)
if(NOT nlohmann_json_FOUND)
  mxinfer_missing("nlohmann-json" "nlohmann-json3-dev")
endif()

find_package(TBB QUIET)
if(NOT TBB_FOUND)
  mxinfer_missing("oneTBB" "libtbb-dev")
endif()

# A pkg-config module as an imported target. The arguments from WHAT on are those of mxinfer_missing. What is found is noted in
# MXINFER_PKG_MODULES (target:module:package) and MXINFER_PKG_LIBRARIES, for who links the static library.
macro(mxinfer_pkg target module what package)
  pkg_check_modules(${target} QUIET IMPORTED_TARGET ${module})
  if(NOT ${target}_FOUND)
    mxinfer_missing("${what}" "${package}" ${ARGN})
  endif()
  list(APPEND MXINFER_PKG_MODULES "${target}:${module}:${package}")
  list(APPEND MXINFER_PKG_LIBRARIES ${${target}_LIBRARIES})
endmacro()

# Highway by its headers alone (kernels/common/dispatch.h says why): nobody links its library.
pkg_check_modules(HWY QUIET libhwy)
if(NOT HWY_FOUND)
  mxinfer_missing("Google Highway" "libhwy-dev")
endif()
add_library(mxinfer_highway INTERFACE)
target_include_directories(mxinfer_highway SYSTEM INTERFACE ${HWY_INCLUDE_DIRS})
target_compile_definitions(mxinfer_highway INTERFACE "${MXINFER_HIGHWAY_TARGETS}"
  $<$<CONFIG:Debug>:HWY_IS_DEBUG_BUILD=0>)  # its assertions call its library, of which only the headers are used

mxinfer_pkg(JPEG libjpeg "libjpeg-turbo's libjpeg" libjpeg-dev)
mxinfer_pkg(PNG libpng "libpng" libpng-dev)
mxinfer_pkg(EXIF libexif "libexif" libexif-dev)
mxinfer_pkg(ZLIB zlib "zlib" zlib1g-dev)
mxinfer_pkg(UTF8PROC libutf8proc "utf8proc" libutf8proc-dev)

# What it trains models with is a library of its own, which nothing here calls.
if(MXINFER_SENTENCEPIECE)
  mxinfer_pkg(SENTENCEPIECE sentencepiece "SentencePiece" libsentencepiece-dev -DMXINFER_SENTENCEPIECE=OFF)
  list(REMOVE_ITEM MXINFER_PKG_LIBRARIES sentencepiece_train)
  get_target_property(MXINFER_SENTENCEPIECE_LIBRARIES PkgConfig::SENTENCEPIECE INTERFACE_LINK_LIBRARIES)
  list(FILTER MXINFER_SENTENCEPIECE_LIBRARIES EXCLUDE REGEX sentencepiece_train)
  set_target_properties(PkgConfig::SENTENCEPIECE PROPERTIES INTERFACE_LINK_LIBRARIES "${MXINFER_SENTENCEPIECE_LIBRARIES}")
  set(MXINFER_SENTENCEPIECE_TARGET PkgConfig::SENTENCEPIECE)
else()
  set(MXINFER_SENTENCEPIECE_TARGET "")
endif()

# libcurl, by its headers alone: it is loaded when an address is first fetched (src/sources/remote/http/curl_library.h says why).
add_library(mxinfer_curl INTERFACE)
if(MXINFER_REMOTE)
  pkg_check_modules(CURL QUIET libcurl)
  if(NOT CURL_FOUND)
    mxinfer_missing("libcurl" "libcurl4-openssl-dev" -DMXINFER_REMOTE=OFF)
  endif()
  target_include_directories(mxinfer_curl SYSTEM INTERFACE ${CURL_INCLUDE_DIRS})
endif()

# OpenBLAS for linear algebra: its OpenMP build, which Debian puts into a folder of its own beside the others. Of the three
# (0.3.21, Debian 12) it alone is right inside of a program: the pthread build starts its threads when it is loaded, the serial
# one computes wrong numbers when two threads call it at once. Nothing is linked with it: kernels/common/openblas.h says when it
# is loaded, and how it is called.
set(MXINFER_PKG_CONFIG_PATH "$ENV{PKG_CONFIG_PATH}")
set(ENV{PKG_CONFIG_PATH} "/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-openmp/pkgconfig:$ENV{PKG_CONFIG_PATH}")
pkg_check_modules(OPENBLAS QUIET openblas)
if(NOT OPENBLAS_FOUND)
  mxinfer_missing("OpenBLAS" "libopenblas-openmp-dev")
endif()
set(ENV{PKG_CONFIG_PATH} "${MXINFER_PKG_CONFIG_PATH}")

if(MXINFER_BUILD_CLI)
  find_package(CLI11 QUIET)
  if(NOT CLI11_FOUND)
    mxinfer_missing("CLI11 (for the command)" "libcli11-dev" -DMXINFER_BUILD_CLI=OFF)
  endif()
endif()
if(MXINFER_BUILD_TESTS)
  find_package(GTest QUIET)
  if(NOT GTest_FOUND)
    mxinfer_missing("GoogleTest (for the tests)" "libgtest-dev" -DMXINFER_BUILD_TESTS=OFF)
  endif()
  # Writes the archives that the tests read.
  pkg_check_modules(ARCHIVE QUIET IMPORTED_TARGET libarchive)
  if(NOT ARCHIVE_FOUND)
    mxinfer_missing("libarchive (for the tests)" "libarchive-dev" -DMXINFER_BUILD_TESTS=OFF)
  endif()
endif()
if(MXINFER_BUILD_BENCH)
  find_package(benchmark QUIET)
  if(NOT benchmark_FOUND)
    mxinfer_missing("Google Benchmark (for the benchmarks)" "libbenchmark-dev" -DMXINFER_BUILD_BENCH=OFF)
  endif()
endif()
