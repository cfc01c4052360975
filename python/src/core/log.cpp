#include <mxinfer/error.h>
#include <mxinfer/log.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <string>
#include <string_view>

#include "bindings.h"
#include "core/calls.h"
#include "core/errors.h"

namespace nb = nanobind;

namespace mxinfer::python {
namespace {

LogLevel level_named(const std::string& name) {
  for (const LogLevel level : {LogLevel::debug, LogLevel::info, LogLevel::warning}) {
    if (name == to_string(level)) return level;
  }
  throw Error(ErrorCode::invalid_argument,
              "level '" + name + "' of messages; it can be debug, info or warning");
}

/// A callable of Python that threads of the library hold.
std::shared_ptr<PyObject> shared(const nb::object& callback) {
  return {callback.inc_ref().ptr(), [](PyObject* object) {
            const WithGil locked;
            if (locked) Py_DECREF(object);
          }};
}

void call(PyObject* callback, LogLevel level, std::string_view message) {
  const WithGil locked;
  if (!locked) return;
  try {
    nb::borrow(callback)(to_string(level), text_of(std::string(message)));
  } catch (nb::python_error& e) {
    e.discard_as_unraisable("mxinfer's log callback");
  }
}

void set_callback(const nb::object& callback, const std::string& least) {
  const LogLevel level = level_named(least);
  LogCallback function;
  if (!callback.is_none()) {
    function = [held = shared(callback)](LogLevel of, std::string_view message) {
      call(held.get(), of, message);
    };
  }
  const WithoutGil released;
  set_log_callback(std::move(function), level);
}

}  // namespace

void stop_logging() {
  const WithoutGil released(WithoutGil::AtExit::allow);
  set_log_callback({});
}

void bind_log(nb::module_& module) {
  module.def("set_log_callback", set_callback, nb::arg("callback").none(), nb::arg("least"));
}

}  // namespace mxinfer::python
