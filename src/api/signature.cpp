#include <mxinfer/signature.h>

#include "base/fail.h"

namespace mxinfer {

std::optional<std::size_t> batch_axis(const DataDesc& desc) {
  if (desc.shape.rank() == 0) return std::nullopt;
  if (desc.layout.empty()) return 0;
  if (desc.layout.size() != desc.shape.rank()) {
    fail(ErrorCode::invalid_argument, "'", printable(desc.name), "' has layout \"", printable(desc.layout),
         "\" of ", desc.layout.size(), " letters and shape ", to_string(desc.shape), " of ",
         desc.shape.rank(), " dimensions; give one letter for each dimension, or an empty layout");
  }
  const auto position = desc.layout.find('N');
  if (position == std::string::npos) return std::nullopt;
  return position;
}

std::string to_string(const DataDesc& desc) {
  std::string text =
      concat(printable(desc.name), " ", to_string(desc.dtype), " ",
             desc.shape.rank() == 0 ? std::string("(shape not known)") : to_string(desc.shape));
  if (!desc.layout.empty()) text += " " + desc.layout;
  return text;
}

}  // namespace mxinfer
