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

# mxinfer_unite_tests(TARGET): if MXINFER_UNITY is on, the files *_test.cpp of a program, at most MXINFER_TESTS_IN_UNIT at a
# time. Nearly all that compiling one takes is reading the headers of the library and of GoogleTest; fewer to a unit than of
# the library's files, so that several cores have something to do, and in units of one size.
set(MXINFER_TESTS_IN_UNIT 8)
function(mxinfer_unite_tests target)
  if(NOT MXINFER_UNITY)
    return()
  endif()
  get_target_property(tests ${target} SOURCES)
  list(FILTER tests INCLUDE REGEX "_test.cpp$")
  list(LENGTH tests number)
  math(EXPR units "(${number} + ${MXINFER_TESTS_IN_UNIT} - 1) / ${MXINFER_TESTS_IN_UNIT}")
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  set(index 0)
  foreach(test ${tests})
    math(EXPR unit "${index} * ${units} / ${number}")
    set_source_files_properties("${test}" PROPERTIES UNITY_GROUP "tests_${unit}")
    math(EXPR index "${index} + 1")
  endforeach()
endfunction()
