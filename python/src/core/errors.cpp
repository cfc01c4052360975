#include "core/errors.h"

#include <exception>

namespace mxinfer::python {
namespace nb = nanobind;
namespace {

// Found once: when the interpreter ends, nothing can be imported. Never let go of.
PyObject* error_of = nullptr;

}  // namespace

nb::object text_of(const std::string& text) {
  return nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

nb::object python_error_of(const Error& error) {
  return nb::handle(error_of)(to_string(error.code()), text_of(error.what()));
}

void translate_errors() {
  nb::object function = nb::module_::import_("mxinfer.errors").attr("error_of");
  error_of = function.release().ptr();
  nb::register_exception_translator(
      [](const std::exception_ptr& thrown, void*) {
        try {
          std::rethrow_exception(thrown);
        } catch (const Error& e) {
          const nb::object error = python_error_of(e);
          PyErr_SetObject(error.type().ptr(), error.ptr());
        }
      },
      nullptr);
}

std::string describe(const nb::python_error& error) {
  const nb::object name = error.type().attr("__name__");
  return std::string(nb::str(name).c_str()) + ": " + nb::str(error.value()).c_str();
}

}  // namespace mxinfer::python
