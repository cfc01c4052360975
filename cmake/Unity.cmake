# Files of a folder compiled together, MXINFER_UNITY: the headers that they share are read, and the templates that they share
# instantiated, once for all of them. For who builds once; who changes a file would compile its neighbours with it.
#
# Names in the anonymous namespaces of a folder must differ, then: the compiler says so where two do not.

# mxinfer_unite(TARGET SOURCES...): the sources of the target, at most MXINFER_FILES_IN_UNIT of a folder at a time.
set(MXINFER_FILES_IN_UNIT 16)
function(mxinfer_unite target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # g++ takes what a united file defines for a header's, which no other file may include.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  foreach(source ${ARGN})
    get_filename_component(folder "${source}" DIRECTORY)
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    list(APPEND files_in_${folder} "${source}")
    list(LENGTH files_in_${folder} number)
    math(EXPR unit "(${number} - 1) / ${MXINFER_FILES_IN_UNIT}")
    set_source_files_properties("${PROJECT_SOURCE_DIR}/${source}" PROPERTIES UNITY_GROUP "${folder}_${unit}")
  endforeach()
endfunction()
