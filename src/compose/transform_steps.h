// The steps that have short names: their attributes, and the operators that they become.
#pragma once

#include <mxinfer/tools/transforms.h>

#include <string>
#include <vector>

#include "compose/build_transforms.h"
#include "graph/attrs.h"

namespace mxinfer::api {

/// The input that a step requires.
enum class Wants {
  anything,
  pixels,          ///< (H, W, C) or (N, H, W, C)
  channels_first,  ///< (C, H, W) or (N, C, H, W)
  bytes,           ///< of a file
};

struct StepDef {
  std::string name;
  std::vector<graph::AttrSpec> attrs;
  Wants wants = Wants::anything;
  void (*expand)(const graph::Attrs&, Chain&) = nullptr;
};

/// nullptr if there is none of that name.
const StepDef* find_step(const std::string& name);
/// "cast, center_crop, ...".
std::string step_names();

}  // namespace mxinfer::api
