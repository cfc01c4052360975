# libmxinfer_cuda.so, MXINFER_CUDA: the kernels for NVIDIA GPUs, and CUDA's runtime within. The library opens it when a CUDA
# device is first asked for (src/device/cuda/cuda_library.h) and is not linked with it, so that it runs where there is no GPU.
# Built by nvcc (docs/how-to/cuda.md): CMAKE_CUDA_COMPILER or the environment variable CUDACXX name it, else it is looked for here.
if(NOT MXINFER_CUDA)
  return()
endif()
if(MXINFER_SANITIZE)
  message(FATAL_ERROR "MXINFER_CUDA and MXINFER_SANITIZE exclude each other: nvcc knows no sanitizers. The tests compile the "
    "kernels for an emulator instead, with whatever sanitizer is given. Configure with one of the two.")
endif()

# Machine code for each GPU from Turing on. sm_80 and sm_86 run on all later ones of their generation; what is newer than the
# last compiles its PTX anew.
set(MXINFER_CUDA_ARCHITECTURES "75-real;80-real;86-real;89-real;90" CACHE STRING
  "What nvcc compiles for, in the form of CMAKE_CUDA_ARCHITECTURES")
set(MXINFER_CUDA_TOOLKIT "$ENV{MXINFER_CUDA_TOOLKIT}" CACHE PATH
  "A toolkit of CUDA 13, or the folder that scripts/install-dependencies.sh cuda has made; empty: build/cuda-toolkit, then the PATH")
set(CMAKE_CUDA_ARCHITECTURES "${MXINFER_CUDA_ARCHITECTURES}")

if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  if(MXINFER_CUDA_TOOLKIT)
    set(toolkits "${MXINFER_CUDA_TOOLKIT}")
    set(or_the_path NO_DEFAULT_PATH)
    set(nor_on_the_path "")
  else()
    set(toolkits "${PROJECT_SOURCE_DIR}/build/cuda-toolkit")
    set(or_the_path "")
    set(nor_on_the_path ", nor on the PATH")
  endif()
  # Where Python packages have it in a virtual environment.
  file(GLOB folders "${toolkits}/lib/python3*/site-packages/nvidia/cu13/bin")
  find_program(MXINFER_NVCC nvcc HINTS ${folders} "${toolkits}/bin" ${or_the_path})
  if(NOT MXINFER_NVCC)
    message(FATAL_ERROR "MXINFER_CUDA needs nvcc of CUDA 13, which is not in ${toolkits}${nor_on_the_path}. Get it with:\n"
      "  scripts/install-dependencies.sh cuda\n"
      "which makes build/cuda-toolkit, or name one with -DMXINFER_CUDA_TOOLKIT=FOLDER, then configure again.")
  endif()
  set(CMAKE_CUDA_COMPILER "${MXINFER_NVCC}")
endif()
if(NOT CMAKE_CUDA_HOST_COMPILER AND NOT DEFINED ENV{CUDAHOSTCXX} AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(CMAKE_CUDA_HOST_COMPILER "${CMAKE_CXX_COMPILER}")
endif()
if(MXINFER_CCACHE AND NOT CMAKE_CUDA_COMPILER_LAUNCHER)
  set(CMAKE_CUDA_COMPILER_LAUNCHER "${MXINFER_CCACHE}")
endif()
option(MXINFER_PTXAS_LOGS "Keep what ptxas says of each kernel beside its object file, for scripts/cuda_report.py" OFF)
if(MXINFER_PTXAS_LOGS)
  list(PREPEND CMAKE_CUDA_COMPILER_LAUNCHER sh "${PROJECT_SOURCE_DIR}/cmake/keep_ptxas_log.sh")
endif()
enable_language(CUDA)
if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 13.0)
  message(FATAL_ERROR "MXINFER_CUDA needs nvcc of CUDA 13.0 or later; ${CMAKE_CUDA_COMPILER} is ${CMAKE_CUDA_COMPILER_VERSION}. "
    "Get one with scripts/install-dependencies.sh cuda, delete this build folder, and configure again.")
endif()
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")  # which CMake 3.25 does not know of
endif()

file(GLOB_RECURSE MXINFER_CUDA_SOURCES CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/kernels/*.cu")
# Kernels by wgmma are code for 9.0 alone, and launched nowhere else.
set(warpgroup_sources ${MXINFER_CUDA_SOURCES})
list(FILTER warpgroup_sources INCLUDE REGEX "warpgroup\\.cu$")
list(REMOVE_ITEM MXINFER_CUDA_SOURCES ${warpgroup_sources})
add_library(mxinfer_cuda_warpgroup OBJECT ${warpgroup_sources})
set_target_properties(mxinfer_cuda_warpgroup PROPERTIES CUDA_ARCHITECTURES 90a)

add_library(mxinfer_cuda SHARED ${MXINFER_CUDA_SOURCES} $<TARGET_OBJECTS:mxinfer_cuda_warpgroup>)
foreach(target mxinfer_cuda mxinfer_cuda_warpgroup)
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}")
  set_target_properties(${target} PROPERTIES
    CUDA_STANDARD 20 CUDA_STANDARD_REQUIRED ON CUDA_EXTENSIONS OFF CUDA_RUNTIME_LIBRARY Static
    CUDA_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON POSITION_INDEPENDENT_CODE ON)
  # --expt-relaxed-constexpr: kernels call constexpr functions that are of the host's headers, too.
  target_compile_options(${target} PRIVATE --expt-relaxed-constexpr -Xfatbin=-compress-all -Xcompiler=-Wall,-Wextra
    $<$<BOOL:${MXINFER_WERROR}>:-Werror=all-warnings>)
endforeach()
set_target_properties(mxinfer_cuda PROPERTIES LINK_DEPENDS "${PROJECT_SOURCE_DIR}/cmake/exports_cuda.map")
target_link_options(mxinfer_cuda PRIVATE "-Wl,--exclude-libs,ALL" "-Wl,--no-undefined"
  "-Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/exports_cuda.map")
if(NOT PROJECT_IS_TOP_LEVEL AND NOT MXINFER_INSTALL)
  set_target_properties(mxinfer_cuda PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
if(MXINFER_INSTALL)
  # Beside libmxinfer.so, which looks for it there.
  install(TARGETS mxinfer_cuda LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT cuda_runtime)
endif()
