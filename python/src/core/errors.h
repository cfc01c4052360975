// mxinfer::Error as exceptions of Python: one class for each code, in mxinfer/errors.py.
#pragma once

#include <mxinfer/error.h>
#include <nanobind/nanobind.h>

#include <string>

namespace mxinfer::python {

/// An exception of the class for the error's code. Precondition: the thread has the interpreter's lock.
nanobind::object python_error_of(const Error& error);

/// Text of the library as a str; bytes that are not UTF-8 are replaced.
nanobind::object text_of(const std::string& text);

/// From now on mxinfer::Error is raised as an exception of its class.
void translate_errors();

/// "TypeError: message" of what Python raised, without the trace.
std::string describe(const nanobind::python_error& error);

}  // namespace mxinfer::python
