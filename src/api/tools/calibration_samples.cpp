#include <mxinfer/tools/quantize.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "api/core/predictor_call.h"
#include "api/core/run_images.h"
#include "base/fail.h"
#include "model/check_inputs.h"
#include "model/model_data.h"

namespace mxinfer {
namespace {

/// The images of a calibration, as a predictor prepares them.
class ImageSamples {
 public:
  ImageSamples(const Model& model, std::vector<std::string> files, const ImageOptions& options)
      : predictor_(model, options.options),
        feed_(api::make_feed(predictor_, options)),
        files_(std::move(files)) {}

  std::size_t count() const { return files_.size(); }
  const std::string& file(std::size_t i) const { return files_.at(i); }

  Tensor read(std::size_t i) const {
    return api::call_with_file(predictor_, feed_, files_.at(i), [&](const Image& image) {
      const Span<const Image> one(&image, 1);
      auto& runner = api::batch_runner(predictor_);
      if (!feed_.entry().model_resizes) return feed_.preprocess(predictor_.model(), one, runner, nullptr);
      const ImageFeed::Items items = feed_.items(one, runner);
      return Tensor::copy_of(items.views.at(0));
    });
  }

 private:
  using ImageFeed = api::ImageFeed;
  Predictor predictor_;
  ImageFeed feed_;
  std::vector<std::string> files_;
};

/// An array whose rows belong to samples.
struct RowArray {
  Tensor array;
  std::size_t axis = 0;      ///< of the rows
  std::int64_t at_once = 1;  ///< rows of a sample

  std::int64_t samples() const { return array.shape()[axis] / at_once; }
  Tensor sample(std::size_t i) const;
};

Tensor RowArray::sample(std::size_t i) const {
  const Shape& whole = array.shape();
  Shape shape = whole;
  shape[axis] = at_once;
  Tensor part = Tensor::uninitialized(array.dtype(), shape);
  const auto inner =
      static_cast<std::size_t>(whole.elements(axis + 1, whole.rank())) * size_of(array.dtype());
  const auto rows = static_cast<std::size_t>(at_once), all = static_cast<std::size_t>(whole[axis]);
  const auto* from = static_cast<const std::byte*>(array.raw()) + i * rows * inner;
  auto* to = static_cast<std::byte*>(part.raw());
  for (std::int64_t outer = 0; outer < whole.elements(0, axis); ++outer) {
    std::memcpy(to, from, rows * inner);
    from += all * inner;
    to += rows * inner;
  }
  return part;
}

RowArray rows_of(const DataDesc& input, Tensor array) {
  const bool is_unknown = input.shape.rank() == 0 && input.layout.empty();
  const auto axis = is_unknown ? std::optional<std::size_t>(0) : batch_axis(input);
  if (!axis || array.shape().rank() <= *axis) {
    fail(ErrorCode::invalid_argument, "input '", printable(to_string(input)),
         "' has no batch of samples in an array ", to_string(array.shape()),
         "; give an array with a row for each sample");
  }
  RowArray rows{std::move(array), *axis, 1};
  const bool is_fixed = input.shape.rank() > *axis && input.shape[*axis] > 0;
  if (is_fixed) rows.at_once = input.shape[*axis];
  return rows;
}

Tensor take_array(std::vector<NamedTensor>& arrays, const DataDesc& input) {
  for (NamedTensor& array : arrays) {
    if (array.name != input.name) continue;
    array.name.clear();
    return std::move(array.array);
  }
  if (input.is_optional) return {};
  fail(ErrorCode::invalid_argument, "there is no array for input '", printable(input.name),
       "'; give one for each input that the model needs");
}

using Rows = std::vector<std::optional<RowArray>>;

Rows rows_by_input(const api::ModelData& model, std::vector<NamedTensor> arrays) {
  Rows rows;
  for (const DataDesc& input : model.signature.inputs) {
    Tensor array = take_array(arrays, input);
    if (array.elements() == 0 && input.is_optional)
      rows.emplace_back();
    else
      rows.push_back(rows_of(input, std::move(array)));
  }
  for (const NamedTensor& array : arrays) {
    if (array.name.empty() || model.training_inputs.count(array.name) > 0) continue;
    fail(ErrorCode::invalid_argument, "there is an array '", printable(array.name),
         "', but the model has no such input; its inputs are ", api::names_of(model.signature.inputs));
  }
  return rows;
}

std::size_t samples_in(const api::ModelData& model, const Rows& rows) {
  std::optional<std::int64_t> count;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i]) continue;
    const std::int64_t own = rows[i]->samples();
    if (count && *count != own) {
      fail(ErrorCode::invalid_argument, "the array of input '", printable(model.signature.inputs[i].name),
           "' has ", own, " samples, but the others have ", *count);
    }
    count = own;
  }
  return static_cast<std::size_t>(count.value_or(0));
}

}  // namespace

CalibrationSamples MXINFER_ABI::calibration_images(const Model& model, std::vector<std::string> files,
                                                   const ImageOptions& options) try {
  const auto images = std::make_shared<const ImageSamples>(model, std::move(files), options);
  CalibrationSamples samples;
  samples.count = images->count();
  samples.read = [images](std::size_t i) {
    std::vector<Tensor> inputs;
    inputs.push_back(images->read(i));
    return inputs;
  };
  samples.name = [images](std::size_t i) { return images->file(i); };
  return samples;
} catch (...) {
  throw_as_error();
}

CalibrationSamples MXINFER_ABI::calibration_arrays(const Model& model, std::vector<NamedTensor> arrays) try {
  const api::ModelData& data = api::data_of(model);
  const auto rows = std::make_shared<const Rows>(rows_by_input(data, std::move(arrays)));
  CalibrationSamples samples;
  samples.count = samples_in(data, *rows);
  samples.read = [rows](std::size_t i) {
    std::vector<Tensor> inputs;
    for (const auto& array : *rows) inputs.push_back(array ? array->sample(i) : Tensor());
    return inputs;
  };
  return samples;
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
