// Structs of the C interface, whose first member says how many bytes of them the caller knows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

#include "c_api/call.h"

namespace mxinfer::c_api {

/// A struct is at least its size and one member more, and no program knows one a hundred times as large.
inline std::size_t checked_size(std::size_t size, std::size_t own) {
  if (size >= 2 * sizeof(std::size_t) && size <= 64 * own) return size;
  reject("struct_size is " + std::to_string(size) + "; set it to sizeof of the struct, " +
         std::to_string(own) + " in this version");
}

/// Members that the caller does not know are 0.
template <typename Struct>
Struct read_struct(const Struct& from) {
  Struct known{};
  std::memcpy(&known, &from, std::min(checked_size(from.struct_size, sizeof(Struct)), sizeof(Struct)));
  return known;
}

/// Element `index` of an array whose elements are as large as its first one says.
template <typename Struct>
Struct read_element(const Struct* first, std::size_t index) {
  const std::size_t size = checked_size(first->struct_size, sizeof(Struct));
  Struct element{};
  std::memcpy(&element, reinterpret_cast<const char*>(first) + index * size, std::min(size, sizeof(Struct)));
  if (element.struct_size != first->struct_size) {
    reject("element " + std::to_string(index) + " of an array has struct_size " +
           std::to_string(element.struct_size) + ", the first one " + std::to_string(first->struct_size) +
           "; they must be the same");
  }
  return element;
}

/// Writes only the members that the caller knows.
template <typename Struct>
void write_struct(Struct& to, Struct value) {
  const std::size_t size = checked_size(to.struct_size, sizeof(Struct));
  value.struct_size = size;
  std::memcpy(&to, &value, std::min(size, sizeof(Struct)));
}

}  // namespace mxinfer::c_api
