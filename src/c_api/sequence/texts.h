// Ids and texts of the caller as the C++ interface takes them.
#pragma once

#include <mxinfer_c/texts.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mxinfer::c_api {

/// Copies the ids of all lists. `name` is the argument's for NullArgument.
std::vector<std::vector<std::int32_t>> id_lists(const mxinfer_id_list* lists, std::size_t count,
                                                const char* name);

/// NULL is the empty text.
inline std::string text_or_empty(const char* text) {
  return text == nullptr ? std::string() : text;
}

}  // namespace mxinfer::c_api
