# cmake --install: headers, both libraries, the command (src/cli), find_package(mxinfer) and pkg-config.
#
# The shared library and the static one are exported apart: the first needs nothing else, the second whatever the
# library is made of, which mxinferConfig.cmake then looks for.
include(CMakePackageConfigHelpers)

# What has to be built comes first: where it is not, nothing else is installed before the error.
install(TARGETS mxinfer EXPORT mxinferTargets
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT runtime NAMELINK_COMPONENT development)
install(TARGETS mxinfer_static EXPORT mxinferStaticTargets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development)

install(DIRECTORY include/mxinfer DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development
  FILES_MATCHING PATTERN "*.h")

set(MXINFER_CMAKE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/mxinfer")
foreach(set mxinferTargets mxinferStaticTargets)
  install(EXPORT ${set} NAMESPACE mxinfer:: DESTINATION "${MXINFER_CMAKE_DIR}" COMPONENT development)
endforeach()
configure_package_config_file(cmake/mxinferConfig.cmake.in mxinferConfig.cmake
  INSTALL_DESTINATION "${MXINFER_CMAKE_DIR}")
# Below 1.0 a minor version may change what programs were compiled against.
write_basic_package_version_file(mxinferConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/mxinferConfig.cmake" "${PROJECT_BINARY_DIR}/mxinferConfigVersion.cmake"
  DESTINATION "${MXINFER_CMAKE_DIR}" COMPONENT development)

# The paths in mxinfer.pc follow the file, so that the installed tree can be moved.
file(RELATIVE_PATH MXINFER_PC_TO_PREFIX "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
string(REGEX REPLACE "/$" "" MXINFER_PC_TO_PREFIX "${MXINFER_PC_TO_PREFIX}")
list(TRANSFORM MXINFER_PKG_LIBRARIES PREPEND "-l" OUTPUT_VARIABLE MXINFER_PC_PRIVATE)
list(JOIN MXINFER_PC_PRIVATE " " MXINFER_PC_PRIVATE)
string(PREPEND MXINFER_PC_PRIVATE "-ltbb -pthread ")
configure_file(cmake/mxinfer.pc.in mxinfer.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/mxinfer.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
  COMPONENT development)

# README.md with what it links to. Links into the source tree become plain text: it is not there.
file(GLOB_RECURSE documents CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/docs/*")
list(FILTER documents EXCLUDE REGEX "^docs/design/(adding-.*|style)[.]md$")  # for contributors, who have the source tree
foreach(document README.md CHANGELOG.md SECURITY.md models/digits/README.md
    models/digit_detector/README.md models/sentences/README.md models/language_id/README.md
    models/language_id/SENTENCES.md ${documents})
  set(file "${PROJECT_SOURCE_DIR}/${document}")
  if(document MATCHES "[.]md$")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    file(READ "${file}" text)
    string(REGEX REPLACE "\\[([^]]+)\\]\\((docs/|design/)*(([.][.]/)+(src|kernels|tests)/[^)]*|([.][.]/)*(design/)?(CONTRIBUTING|style|adding-[a-z-]+)[.]md[^)]*)\\)"
      "\\1" text "${text}")
    set(file "${PROJECT_BINARY_DIR}/documentation/${document}")
    file(WRITE "${file}" "${text}")
  endif()
  get_filename_component(folder "${document}" DIRECTORY)
  install(FILES "${file}" DESTINATION "${CMAKE_INSTALL_DOCDIR}/${folder}" COMPONENT development)
endforeach()
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT development)
install(FILES models/digits.mxz DESTINATION "${CMAKE_INSTALL_DOCDIR}/models" COMPONENT development)
install(DIRECTORY models/digit_detector DESTINATION "${CMAKE_INSTALL_DOCDIR}/models" COMPONENT development
  FILES_MATCHING PATTERN "*-symbol.json" PATTERN "*.params" PATTERN "synset.txt" PATTERN "*.jpg" PATTERN "truth.json")
install(DIRECTORY models/sentences DESTINATION "${CMAKE_INSTALL_DOCDIR}/models" COMPONENT development
  FILES_MATCHING PATTERN "*-symbol.json" PATTERN "*.params" PATTERN "vocab.json")
install(DIRECTORY models/language_id DESTINATION "${CMAKE_INSTALL_DOCDIR}/models" COMPONENT development
  FILES_MATCHING PATTERN "model-symbol.json" PATTERN "*.params" PATTERN "synset.txt"
  PATTERN "network" EXCLUDE)
install(DIRECTORY examples DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT development
  FILES_MATCHING PATTERN "*.cpp" PATTERN "*.h" PATTERN "*.jpg" PATTERN "*.png")
