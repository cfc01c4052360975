# mxinfer-scala_<version>.jar: the package org.mxinfer.infer, by the compiler whose jars are in MXINFER_SCALA_JARS (those of
# the compiler, its library and its reflection). Scala's versions do not run each other's classes, so that each has a jar.
set(MXINFER_SCALA_JARS "/usr/share/java" CACHE PATH "Folder with the jars of the Scala compiler")
set(scala_jars "")
foreach(part compiler library reflect)
  file(GLOB found "${MXINFER_SCALA_JARS}/scala-${part}-2.[0-9]*.[0-9]*.jar")
  list(LENGTH found count)
  if(count GREATER 0)
    list(GET found -1 found)
    list(APPEND scala_jars "${found}")
  endif()
endforeach()
list(LENGTH scala_jars count)
if(count LESS 3)
  message(STATUS "mxinfer for Scala is not built: there is no Scala 2 compiler in ${MXINFER_SCALA_JARS} (Debian: scala)")
  set(scala_jars "")
  return()
endif()
list(GET scala_jars 1 scala_library)
string(REGEX REPLACE ".*scala-library-(2[.][0-9]+)[.].*" "\\1" scala_version "${scala_library}")
list(JOIN scala_jars ":" scala_path)
set(scalac "${Java_JAVA_EXECUTABLE}" -cp "${scala_path}" scala.tools.nsc.Main -deprecation:false -encoding UTF-8)

file(GLOB scala_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/scala/org/mxinfer/infer/*.scala")
set(scala_jar "${java_dir}/mxinfer-scala_${scala_version}.jar")
add_custom_command(OUTPUT "${scala_jar}"
  COMMAND "${CMAKE_COMMAND}" -E rm -rf "${java_dir}/scala-classes"
  COMMAND "${CMAKE_COMMAND}" -E make_directory "${java_dir}/scala-classes"
  COMMAND ${scalac} -Xfatal-warnings -classpath "${java_dir}/classes:${scala_library}" -d "${java_dir}/scala-classes" ${scala_sources}
  COMMAND "${Java_JAR_EXECUTABLE}" --create --file "${scala_jar}" -C "${java_dir}/scala-classes" .
  DEPENDS ${scala_sources} "${java_dir}/classes.stamp" COMMENT "Compiling mxinfer for Scala ${scala_version}" VERBATIM)
add_custom_target(mxinfer_scala ALL DEPENDS "${scala_jar}")
add_dependencies(mxinfer_scala mxinfer_java)
if(MXINFER_INSTALL)
  install(FILES "${scala_jar}" DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/java" COMPONENT java OPTIONAL)
endif()
