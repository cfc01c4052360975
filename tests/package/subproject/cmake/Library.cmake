message(FATAL_ERROR "this file is of the project around mxinfer, and not for it")
