// Texts of Python as UTF-8, one or a list.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "core/read_items.h"

namespace mxinfer::python {

/// Error(invalid_argument), which begins with `what`, if it is no str, or one with half a surrogate pair.
std::string utf8_of(nanobind::handle text, const char* what);
/// Of any iterable but a str; the first that is wrong is named with its position.
std::vector<std::string> utf8_list(nanobind::handle texts, const char* what);
ReadItems<std::string> read_texts(const nanobind::list& texts, const char* what, bool collect);

}  // namespace mxinfer::python
