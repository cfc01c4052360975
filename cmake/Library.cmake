# The objects are compiled once; libmxinfer.so, libmxinfer.a and the tests share them. Sources are named from the root of the
# tree, so that no folder above it is taken for one of ours.
file(GLOB_RECURSE MXINFER_SOURCES CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}"
  "${PROJECT_SOURCE_DIR}/kernels/*.cpp"
  "${PROJECT_SOURCE_DIR}/src/*.cpp")
list(FILTER MXINFER_SOURCES EXCLUDE REGEX "^src/(cli|python)/")
file(GLOB MXINFER_PUBLIC_HEADERS CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/mxinfer/*.h")

# What runs once, when a model is loaded, waits for files and memory; but for what goes through every weight. With a
# sanitizer, all is cold but kernels.
set(MXINFER_COLD_SOURCES ${MXINFER_SOURCES})
if(MXINFER_SANITIZE)
  list(FILTER MXINFER_COLD_SOURCES INCLUDE REGEX "^src/")
else()
  list(FILTER MXINFER_COLD_SOURCES INCLUDE REGEX "^src/(api|formats|passes)/")
  list(FILTER MXINFER_COLD_SOURCES EXCLUDE REGEX "/fold_batch_norm.cpp$")
endif()
set_source_files_properties(${MXINFER_COLD_SOURCES} PROPERTIES COMPILE_OPTIONS "${MXINFER_COLD_OPTIONS}")

add_library(mxinfer_objects OBJECT ${MXINFER_SOURCES})
target_include_directories(mxinfer_objects PUBLIC
  "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}")
target_compile_definitions(mxinfer_objects PUBLIC MXINFER_BUILDING)
target_link_libraries(mxinfer_objects
  PUBLIC mxinfer_settings
  PRIVATE nlohmann_json::nlohmann_json TBB::tbb mxinfer_highway PkgConfig::JPEG
          PkgConfig::PNG PkgConfig::EXIF PkgConfig::ARCHIVE PkgConfig::ZLIB)

# Without ccache, what nearly every file of src/ reads is compiled once: reading it takes a fifth of such a file's time. ccache
# would find less in its cache so. Kernels are left out, whose header compiles them once for each target.
if(MXINFER_PRECOMPILE_HEADERS)
  target_precompile_headers(mxinfer_objects PRIVATE
    <algorithm> <functional> <map> <memory> <optional> <set> <string> <string_view> <variant> <vector>
    "${PROJECT_SOURCE_DIR}/src/ops/op_def.h")
  set(MXINFER_KERNEL_SOURCES ${MXINFER_SOURCES})
  list(FILTER MXINFER_KERNEL_SOURCES INCLUDE REGEX "^kernels/")
  set_source_files_properties(${MXINFER_KERNEL_SOURCES} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
endif()

set(MXINFER_PRIVATE_LIBS TBB::tbb PkgConfig::JPEG PkgConfig::PNG PkgConfig::EXIF
  PkgConfig::ARCHIVE PkgConfig::ZLIB)

add_library(mxinfer SHARED $<TARGET_OBJECTS:mxinfer_objects>)
add_library(mxinfer_static STATIC $<TARGET_OBJECTS:mxinfer_objects>)
foreach(target mxinfer mxinfer_static)
  target_compile_features(${target} PUBLIC cxx_std_17)
  target_include_directories(${target} PUBLIC
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
endforeach()
if(NOT PROJECT_IS_TOP_LEVEL AND NOT MXINFER_INSTALL)
  # Of the project around this one only what it links is built.
  set_target_properties(mxinfer_objects mxinfer mxinfer_static PROPERTIES EXCLUDE_FROM_ALL ON)
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
  # half in its library that keeps it in order. base/hand_over.h says what that order is.
  set_source_files_properties("${PROJECT_SOURCE_DIR}/src/base/thread_arena.cpp" PROPERTIES
    COMPILE_OPTIONS "-fno-sanitize=thread;-DMXINFER_THREAD_SANITIZER")
endif()
