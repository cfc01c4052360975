// Which pixels of an image its transforms read, and how far it may be scaled down while it is decoded.
#pragma once

#include <optional>

#include "graph/attrs.h"
#include "image/decode_part.h"
#include "passes/load/stages.h"

namespace mxinfer::api {

/// Thread-safe.
class WantedPart {
 public:
  /// All pixels.
  WantedPart() = default;
  /// Those that the stage reads, if it is one chain of image operators. With `scaled`, images are decoded at
  /// a half, a quarter or an eighth of their sides if they still have the pixels that the stage resizes to.
  WantedPart(const passes::ItemStage& stage, int channels, bool scaled);

  image::DecodePart of(Size full) const;

 private:
  std::optional<graph::Attrs> chain_{};
  int channels_ = 3;
  bool scaled_ = false;
};

}  // namespace mxinfer::api
