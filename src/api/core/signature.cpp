#include <mxinfer/signature.h>

#include "base/fail.h"
#include "tensor/data_desc.h"

namespace mxinfer {

const char* MXINFER_ABI::to_string(Meaning meaning) noexcept {
  switch (meaning) {
    case Meaning::unspecified:
      return "";
    case Meaning::image:
      return "image";
    case Meaning::encoded_image:
      return "encoded_image";
    case Meaning::image_path:
      return "image_path";
    case Meaning::scores:
      return "scores";
    case Meaning::ids:
      return "ids";
    case Meaning::boxes:
      return "boxes";
    case Meaning::text:
      return "text";
    case Meaning::landmarks:
      return "landmarks";
  }
  return "";
}

std::optional<std::size_t> MXINFER_ABI::batch_axis(const DataDesc& desc) {
  if (desc.shape.rank() == 0 || is_file(desc.meaning)) return std::nullopt;
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

std::string MXINFER_ABI::to_string(const DataDesc& desc) try {
  std::string text =
      concat(printable(desc.name), " ", to_string(desc.dtype), " ",
             desc.shape.rank() == 0 ? std::string("(shape not known)") : to_string(desc.shape));
  if (!desc.layout.empty()) text += " " + desc.layout;
  if (desc.meaning != Meaning::unspecified) text += concat(" ", to_string(desc.meaning));
  if (desc.is_guess) text += " (a guess)";
  if (desc.is_optional) text += " (zeros when not given)";
  if (desc.is_nullable) text += " (takes nulls)";
  return text;
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
