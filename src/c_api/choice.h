// Members of structs that name one of a few choices.
#pragma once

#include <cstddef>
#include <string>

#include "c_api/call.h"

namespace mxinfer::c_api {

/// The position of a text among names. Only for a text that is not NULL.
template <std::size_t kCount>
std::size_t choice(const char* member, const char* text, const char* const (&names)[kCount]) {
  std::string known;
  for (std::size_t i = 0; i < kCount; ++i) {
    if (text == std::string(names[i])) return i;
    known += (known.empty() ? "\"" : ", \"") + std::string(names[i]) + "\"";
  }
  reject(std::string(member) + " is \"" + text + "\"; it can be " + known);
}

/// The same, and 0, the default, for none.
template <std::size_t kCount>
std::size_t choice_or_first(const char* member, const char* text, const char* const (&names)[kCount]) {
  return text == nullptr ? 0 : choice(member, text, names);
}

}  // namespace mxinfer::c_api
