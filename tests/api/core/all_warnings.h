// What loading a model warns of.
#pragma once

#include <mxinfer/model.h>

#include <string>

namespace mxinfer::test {

/// Every warning, on a line of its own.
inline std::string all_warnings(const Model& model) {
  std::string text;
  for (const std::string& warning : model.warnings()) text += warning + '\n';
  return text;
}

}  // namespace mxinfer::test
