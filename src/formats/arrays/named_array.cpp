#include "formats/arrays/named_array.h"

#include <utility>

namespace mxinfer::formats {

std::vector<NamedParameter> as_parameters(std::vector<NamedArray> arrays) {
  std::vector<NamedParameter> parameters;
  for (NamedArray& array : arrays)
    parameters.push_back({std::move(array.name), make_parameter(std::move(array.tensor))});
  return parameters;
}

}  // namespace mxinfer::formats
