// The names of sides in files and attributes.
//
//   side_name(Side::left);       // "left"
//   side_named("right");         // Side::right
#pragma once

#include <mxinfer/sequence/side.h>

#include <optional>
#include <string_view>

namespace mxinfer {

inline const char* side_name(Side side) {
  return side == Side::left ? "left" : "right";
}

/// nullopt for any other name.
inline std::optional<Side> side_named(std::string_view name) {
  if (name == side_name(Side::left)) return Side::left;
  if (name == side_name(Side::right)) return Side::right;
  return std::nullopt;
}

}  // namespace mxinfer
