#include "sequence/texts.h"

#include <mxinfer/error.h>

#include <cstddef>

namespace mxinfer::python {
namespace nb = nanobind;

std::string class_name(nb::handle object) {
  return nb::str(nb::handle(object.type()).attr("__name__")).c_str();
}

std::string utf8_of(nb::handle text, const char* what) {
  if (!nb::isinstance<nb::str>(text)) {
    throw Error(ErrorCode::invalid_argument,
                std::string(what) + ": a " + class_name(text) + " is no text; expected a str");
  }
  Py_ssize_t size = 0;
  const char* const utf8 = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (utf8 != nullptr) return {utf8, static_cast<std::size_t>(size)};
  PyErr_Clear();
  throw Error(ErrorCode::invalid_argument,
              std::string(what) +
                  ": half a surrogate pair is in it, which UTF-8 cannot write; remove it, as in "
                  "text.encode(errors='ignore').decode()");
}

std::vector<std::string> utf8_list(nb::handle texts, const char* what) {
  return read_texts(list_of(texts, what), what, false).values;
}

nb::list list_of(nb::handle items, const char* what) {
  if (nb::isinstance<nb::list>(items)) return nb::borrow<nb::list>(items);
  const bool is_text = nb::isinstance<nb::str>(items) || nb::isinstance<nb::bytes>(items);
  nb::object list = is_text ? nb::object() : nb::steal(PySequence_List(items.ptr()));
  if (!list.is_valid()) {
    if (PyErr_Occurred() != nullptr && PyErr_ExceptionMatches(PyExc_TypeError) == 0) throw nb::python_error();
    PyErr_Clear();
    throw Error(ErrorCode::invalid_argument, std::string(what) + ": expected a list of them, got a " +
                                                 class_name(items) + "; put one alone into a list");
  }
  return nb::borrow<nb::list>(list);
}

ReadItems<std::string> read_texts(const nb::list& texts, const char* what, bool collect) {
  return read_items<std::string>(texts, what, collect,
                                 [](nb::handle text, const char* name) { return utf8_of(text, name); });
}

}  // namespace mxinfer::python
