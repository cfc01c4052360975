#include <mxinfer/vision/preprocess.h>

#include <utility>

#include "base/fail.h"

namespace mxinfer {
namespace {

using Preset = std::pair<std::string, Preprocess>;

Preprocess cropped(int size) {
  Preprocess p;
  p.resize = ResizePolicy::short_side_crop;
  p.network_size = size;
  return p;
}

std::vector<Preset> make_presets() {
  Preprocess imagenet = cropped(224);
  imagenet.scale = 1.0f / 255.0f;
  imagenet.mean = {0.485f, 0.456f, 0.406f};
  imagenet.std = {0.229f, 0.224f, 0.225f};

  Preprocess imagenet_symbol = cropped(224);
  imagenet_symbol.mean = {123.68f, 116.779f, 103.939f};

  Preprocess unit;
  unit.scale = 1.0f / 255.0f;

  Preprocess minus_one_to_one;
  minus_one_to_one.mean = {127.5f, 127.5f, 127.5f};
  minus_one_to_one.std = {127.5f, 127.5f, 127.5f};

  Preprocess insightface = minus_one_to_one;
  insightface.std = {128.0f, 128.0f, 128.0f};
  insightface.network_size = 112;

  return {{"raw", Preprocess{}},
          {"imagenet", imagenet},
          {"imagenet_symbol", imagenet_symbol},
          {"unit", unit},
          {"minus_one_to_one", minus_one_to_one},
          {"insightface", insightface}};
}

const std::vector<Preset>& presets() {
  static const auto& table = *new std::vector<Preset>(make_presets());
  return table;
}

}  // namespace

Preprocess Preprocess::preset(const std::string& name) {
  std::string names;
  for (const auto& [known, preprocess] : presets()) {
    if (known == name) return preprocess;
    names += (names.empty() ? "" : ", ") + known;
  }
  fail(ErrorCode::not_found, "there is no preset '", printable(name), "'; the presets are ", names);
}

const std::vector<std::string>& Preprocess::preset_names() {
  static const std::vector<std::string>& names = *[] {
    auto* all = new std::vector<std::string>;
    for (const auto& preset : presets()) all->push_back(preset.first);
    return all;
  }();
  return names;
}

}  // namespace mxinfer
