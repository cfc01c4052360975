#include "core/option_fields.h"

#include "core/errors.h"

namespace mxinfer::python {
namespace nb = nanobind;

nb::object OptionFields::find(const char* name) const {
  PyObject* const value = PyDict_GetItemString(values_.ptr(), name);
  if (value == nullptr || value == Py_None) return {};
  return nb::borrow(value);
}

void OptionFields::fail(const char* name, nb::handle value, const char* expected) {
  std::string given = "what was given";
  try {
    given = nb::repr(value).c_str();
  } catch (nb::python_error&) {
    // Half a surrogate pair, or a __repr__ that raises: the name of the option is enough.
  }
  constexpr std::size_t kMost = 80;
  if (given.size() > kMost)
    given = std::string("a ") + nb::str(nb::handle(value.type()).attr("__name__")).c_str();
  throw Error(ErrorCode::invalid_argument,
              std::string("option '") + name + "': " + given + " is no value of it; expected " + expected);
}

}  // namespace mxinfer::python
