#include "compose/fit_input.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/fail.h"
#include "model/check_inputs.h"
#include "model/fixed_batch.h"
#include "tensor/data_desc.h"

namespace mxinfer::api {
namespace {

using ops::TensorType;

// The sizes of images to try: one of these multiples of some hundred pixels.
constexpr int kSideScales[] = {1, 4, 16};

std::string advice(const DataDesc& wanted, const TensorType& given) {
  if (wanted.dtype != given.dtype) {
    return wanted.dtype == DType::float32 ? "; to_tensor or cast makes float32"
                                          : "; cast makes the right dtype";
  }
  if (wanted.shape.rank() != given.shape.rank() || wanted.shape.rank() != 4) return "";
  const bool free = std::any_of(given.shape.begin() + 1, given.shape.end(), [](auto dim) { return dim < 0; });
  if (free) return "; resize, center_crop or letterbox gives images one size";
  if (given.shape[3] == wanted.shape[1] && wanted.shape[1] > 0)
    return "; to_tensor or transpose moves the channels to the front";
  return "";
}

Layout layout_of(const DataDesc& desc) {
  if (desc.layout == "NHWC" || (desc.layout.empty() && desc.meaning == Meaning::image)) return Layout::hwc;
  if (desc.layout == "NCHW" || (desc.layout.empty() && desc.shape.rank() == 4)) return Layout::chw;
  return Layout::unknown;
}

// A candidate for the model's input: the descriptor, and the resulting input of the first step.
struct Candidate {
  DataDesc desc;
  DataDesc first;
};

DataDesc image_desc(const std::string& name, std::int64_t channels) {
  return {name, {-1, -1, -1, channels}, DType::uint8, "NHWC", Meaning::image};
}

std::vector<Candidate> candidates(const DataDesc& network, const std::vector<Transform>& steps,
                                  const DataDesc* given) {
  const Reading reading = reading_of(steps);
  const std::string& name = given != nullptr ? given->name : network.name;
  if (reading.meaning != Meaning::unspecified) {
    DataDesc bytes{name, {-1}, DType::uint8, "", reading.meaning};
    if (given != nullptr && given->meaning != Meaning::unspecified && given->meaning != reading.meaning) {
      fail(ErrorCode::invalid_argument, "the signature says that it is ", to_string(given->meaning),
           ", but its first step ", printable(steps.front().op), " takes ", to_string(reading.meaning));
    }
    return {{bytes, image_desc(name, reading.channels)}};
  }
  if (given != nullptr) {
    if (is_file(given->meaning)) {
      fail(ErrorCode::invalid_argument, "the signature says that it is ", to_string(given->meaning),
           ", so its first step must be ",
           given->meaning == Meaning::encoded_image ? "decode" : "read_image");
    }
    return {{*given, *given}};
  }
  std::vector<Candidate> result;
  const auto add_image = [&](std::int64_t channels) {
    const DataDesc desc = image_desc(name, channels);
    result.push_back({desc, desc});
  };
  const bool images = is_for_images(steps);
  if (images || network.shape.rank() == 4) {
    const bool grey = network.shape.rank() == 4 && network.shape[1] == 1;
    add_image(grey ? 1 : 3);
    add_image(grey ? 3 : 1);
  }
  if (!images) result.push_back({network, network});
  return result;
}

std::string mismatch(const DataDesc& network, const Chain& chain) {
  const TensorType given = common_type(chain.types());
  DataDesc wanted = network;
  wanted.meaning = Meaning::unspecified;
  return concat("the transforms give ", ops::to_string(given), ", but the network takes ", to_string(wanted),
                advice(network, given), " (its input: ", chain.trace(), ")");
}

}  // namespace

FittedInput fit_input(const DataDesc& network, const std::vector<Transform>& steps, const DataDesc* given) {
  std::optional<Error> first_reason;  // the likeliest candidate's
  for (const Candidate& candidate : candidates(network, steps, given)) {
    std::optional<Error> reason;
    for (int scale : kSideScales) {
      Chain chain(trials_of(candidate.first, scale), layout_of(candidate.first));
      try {
        chain.add_all(steps);
      } catch (const Error& e) {
        reason = e;  // a crop may need larger images than those tried
        continue;
      }
      // Lists are padded to a batch that the network fixes.
      if (fits(with_any_batch(network), common_type(chain.types())))
        return {candidate.desc, std::move(chain)};
      reason = Error(ErrorCode::invalid_argument, mismatch(network, chain));
      break;
    }
    if (!first_reason) first_reason = reason;
  }
  throw *first_reason;
}

}  // namespace mxinfer::api
