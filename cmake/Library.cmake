# The objects are compiled once; libmxinfer.so, libmxinfer.a and the tests share them. Sources are named from the root of the
# tree, so that no folder above it is taken for one of ours.
file(GLOB_RECURSE MXINFER_SOURCES CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}"
  "${PROJECT_SOURCE_DIR}/kernels/*.cpp"
  "${PROJECT_SOURCE_DIR}/src/*.cpp")
list(FILTER MXINFER_SOURCES EXCLUDE REGEX "^src/(c_api|c_predict|cli)/")
if(MXINFER_REMOTE)
  list(REMOVE_ITEM MXINFER_SOURCES src/sources/no_remote_stores.cpp)
else()
  list(FILTER MXINFER_SOURCES EXCLUDE REGEX "^src/sources/remote/")
endif()
if(MXINFER_SENTENCEPIECE)
  list(REMOVE_ITEM MXINFER_SOURCES src/text/tokenize/no_sentencepiece.cpp)
else()
  list(REMOVE_ITEM MXINFER_SOURCES src/text/tokenize/sentencepiece.cpp)
endif()
file(GLOB_RECURSE MXINFER_PUBLIC_HEADERS CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/mxinfer/*.h")

# What runs once, when a model is loaded, waits for files and memory; but for what goes through every weight. Of
# src/text, what goes through every character of a text is warm. With a sanitizer, all is compiled as what is cold but kernels.
set(MXINFER_KERNEL_SOURCES ${MXINFER_SOURCES})
list(FILTER MXINFER_KERNEL_SOURCES INCLUDE REGEX "^kernels/")
set(MXINFER_COLD_SOURCES ${MXINFER_SOURCES})
list(FILTER MXINFER_COLD_SOURCES INCLUDE REGEX
  "^src/((api|compose|formats|load|model|passes|pipeline|sequence|table|vision|sources/remote)/|text/(tokenize/(charsmap|no_sentence|proto|sentence|tokenizer)|words/vocabulary))")
list(FILTER MXINFER_COLD_SOURCES EXCLUDE REGEX "/fold_batch_norm.cpp$")
set(MXINFER_WARM_SOURCES ${MXINFER_SOURCES})
list(REMOVE_ITEM MXINFER_WARM_SOURCES ${MXINFER_KERNEL_SOURCES} ${MXINFER_COLD_SOURCES})

# One target for each way to compile. Kernels come first: the largest of them take longest of all.
set(MXINFER_OBJECT_TARGETS mxinfer_kernels mxinfer_warm mxinfer_cold)
add_library(mxinfer_kernels OBJECT ${MXINFER_KERNEL_SOURCES})
add_library(mxinfer_warm OBJECT ${MXINFER_WARM_SOURCES})
add_library(mxinfer_cold OBJECT ${MXINFER_COLD_SOURCES})
target_compile_options(mxinfer_cold PRIVATE "${MXINFER_COLD_OPTIONS}")
if(MXINFER_SANITIZE)
  target_compile_options(mxinfer_warm PRIVATE "${MXINFER_COLD_OPTIONS}")
endif()
set(MXINFER_OBJECTS "")
foreach(target ${MXINFER_OBJECT_TARGETS})
  target_include_directories(${target} PUBLIC
    "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}")
  target_compile_definitions(${target} PUBLIC MXINFER_BUILDING)
  target_link_libraries(${target}
    PUBLIC mxinfer_settings
    PRIVATE nlohmann_json::nlohmann_json TBB::tbb mxinfer_highway mxinfer_curl PkgConfig::JPEG
            PkgConfig::PNG PkgConfig::EXIF PkgConfig::ZLIB PkgConfig::UTF8PROC ${MXINFER_SENTENCEPIECE_TARGET})
  list(APPEND MXINFER_OBJECTS $<TARGET_OBJECTS:${target}>)
endforeach()

# All builds of OpenBLAS have one name, and the system's default may be another one than that which is asked for.
set_source_files_properties("${PROJECT_SOURCE_DIR}/kernels/common/openblas.cpp" PROPERTIES
  COMPILE_DEFINITIONS "MXINFER_OPENBLAS=\"${OPENBLAS_LIBDIR}/libopenblas.so.0\"")

include(cmake/Commit.cmake)
if(MXINFER_UNITY)
  mxinfer_unite(mxinfer_warm ${MXINFER_WARM_SOURCES})
  mxinfer_unite(mxinfer_cold ${MXINFER_COLD_SOURCES})
endif()

# Without ccache, what nearly every file of src/ reads is compiled once: reading it takes a fifth of such a file's time. ccache
# would find less in its cache so. Kernels are left out, whose header compiles them once for each target, and files compiled
# together, which read their headers once: there g++ 12 warns falsely of the standard library's own code.
if(MXINFER_PRECOMPILE_HEADERS AND NOT MXINFER_UNITY)
  foreach(target mxinfer_warm mxinfer_cold)
    target_precompile_headers(${target} PRIVATE
      <algorithm> <functional> <map> <memory> <optional> <set> <string> <string_view> <variant> <vector>
      "${PROJECT_SOURCE_DIR}/src/ops/op_def.h")
  endforeach()
endif()

set(MXINFER_PRIVATE_LIBS TBB::tbb PkgConfig::JPEG PkgConfig::PNG PkgConfig::EXIF
  PkgConfig::ZLIB PkgConfig::UTF8PROC ${MXINFER_SENTENCEPIECE_TARGET} ${CMAKE_DL_LIBS})

add_library(mxinfer SHARED ${MXINFER_OBJECTS})
add_library(mxinfer_static STATIC ${MXINFER_OBJECTS})
foreach(target mxinfer mxinfer_static)
  target_compile_features(${target} PUBLIC cxx_std_17)
  target_include_directories(${target} PUBLIC
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
endforeach()
if(NOT PROJECT_IS_TOP_LEVEL AND NOT MXINFER_INSTALL)
  # Of the project around this one only what it links is built.
  set_target_properties(${MXINFER_OBJECT_TARGETS} mxinfer mxinfer_static PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
# Who links the shared library needs none of what it is made of, who links the static one all of it.
target_link_libraries(mxinfer PRIVATE "$<BUILD_INTERFACE:${MXINFER_PRIVATE_LIBS}>")
target_link_libraries(mxinfer_static PRIVATE ${MXINFER_PRIVATE_LIBS})
# Below 1.0 a minor version may change what programs were compiled against, so that it is part of the name they load.
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(MXINFER_SOVERSION "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
else()
  set(MXINFER_SOVERSION ${PROJECT_VERSION_MAJOR})
endif()
set_target_properties(mxinfer PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${MXINFER_SOVERSION})
set_target_properties(mxinfer_static PROPERTIES OUTPUT_NAME mxinfer)
# Hidden visibility leaves the templates of the standard library visible; the version script does not.
target_link_options(mxinfer PRIVATE "-Wl,--exclude-libs,ALL"
  "-Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/exports.map")
set_target_properties(mxinfer PROPERTIES LINK_DEPENDS "${PROJECT_SOURCE_DIR}/cmake/exports.map")
if(NOT MXINFER_SANITIZE)
  target_link_options(mxinfer PRIVATE "-Wl,--no-undefined")
endif()
add_library(mxinfer::mxinfer ALIAS mxinfer)
add_library(mxinfer::mxinfer_static ALIAS mxinfer_static)

if(MXINFER_SANITIZE MATCHES "thread")
  # The one file that includes oneTBB is left out: the sanitizer would see the half of oneTBB that is templates, and not the
  # half in its library that keeps it in order. base/threads/tsan_handover.h says what that order is. -O1, which comes after the -O0 of
  # cold files: at -O0 it would call functions of <atomic>, of which the linker may take another file's, with the sanitizer.
  set_source_files_properties("${PROJECT_SOURCE_DIR}/src/base/threads/thread_arena.cpp" PROPERTIES
    COMPILE_OPTIONS "-O1;-fno-sanitize=thread;-DMXINFER_THREAD_SANITIZER")
endif()
