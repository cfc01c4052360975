#include "api/core/verify_sample.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "base/fail.h"
#include "model/model_data.h"
#include "tensor/closeness.h"
#include "tensor/floating.h"
#include "tensor/read_element.h"

namespace mxinfer {
namespace api {
namespace {

using formats::NamedArray;
using formats::Sample;

constexpr double kTolerance = 1e-4;
// A value that lies between two steps of 8 bits may be rounded to either, where processors sum float32 values
// in another order.
constexpr double kQuantizedTolerance = 2e-2;

// A stored output beside the one that was computed.
struct Pair {
  const Tensor& stored;
  const Tensor& computed;
  double before(std::int64_t i) const { return element_reader(stored.dtype())(stored.raw(), i); }
  double now(std::int64_t i) const { return element_reader(computed.dtype())(computed.raw(), i); }
};

std::string place(const Shape& shape, std::int64_t index) {
  std::vector<std::int64_t> at(shape.rank());
  for (std::size_t d = shape.rank(); d-- > 0;) {
    at[d] = index % shape[d];
    index /= shape[d];
  }
  std::string text = "[";
  for (std::size_t d = 0; d < at.size(); ++d) text += (d > 0 ? ", " : "") + std::to_string(at[d]);
  return text + "]";
}

// Rounding may swap two results with nearly equal scores: an id whose score is that close to a neighbour's
// may be the neighbour's.
bool may_be_another(const Tensor& scores, std::int64_t index, double allowed) {
  const Shape& shape = scores.shape();
  std::int64_t step = 1;
  std::size_t axis = shape.rank();
  while (axis > 0 && shape[axis - 1] == 1) --axis;
  if (axis == 0) return true;
  for (std::size_t d = axis; d < shape.rank(); ++d) step *= shape[d];
  const std::int64_t count = shape[axis - 1];
  const std::int64_t at = index / step % count;
  if (at + 1 == count) return true;
  const ElementReader read = element_reader(scores.dtype());
  const double score = read(scores.raw(), index);
  const bool after = difference(score, read(scores.raw(), index + step)) <= allowed;
  return after || (at > 0 && difference(score, read(scores.raw(), index - step)) <= allowed);
}

class Comparison {
 public:
  Comparison(const std::vector<NamedArray>& stored, const std::vector<Tensor>& computed,
             const std::vector<DataDesc>& outputs, double tolerance)
      : stored_(stored), computed_(computed), outputs_(outputs), tolerance_(tolerance) {}

  std::vector<OutputCheck> run() const {
    std::vector<OutputCheck> checks;
    // Scores first: if they differ, so may everything else.
    for (std::size_t i = 0; i < stored_.size(); ++i) require_type(i);
    for (std::size_t i = 0; i < stored_.size(); ++i) checks.push_back(compare(i));
    return checks;
  }

 private:
  void require_type(std::size_t i) const {
    const Tensor &before = stored_[i].tensor, &now = computed_[i];
    if (before.dtype() == now.dtype() && before.shape() == now.shape()) return;
    fail(ErrorCode::malformed, "the sample's output '", printable(stored_[i].name), "' is stored as ",
         to_string(before.dtype()), " ", to_string(before.shape()), ", but the model gives ",
         to_string(now.dtype()), " ", to_string(now.shape()),
         "; the graph was changed after the sample was stored");
  }

  // The output with the scores of the objects in output i; null if there is none.
  const Tensor* scores_of(std::size_t i) const {
    if (outputs_[i].meaning != Meaning::ids) return nullptr;
    for (std::size_t other = 0; other < outputs_.size(); ++other) {
      const bool scores = outputs_[other].meaning == Meaning::scores;
      if (scores && stored_[other].tensor.shape() == stored_[i].tensor.shape()) return &stored_[other].tensor;
    }
    return nullptr;
  }

  OutputCheck compare(std::size_t i) const {
    const Pair pair{stored_[i].tensor, computed_[i]};
    const Tensor* scores = scores_of(i);
    OutputCheck check{stored_[i].name, pair.stored.elements(), 0, 0};
    const bool exact = !is_float(pair.stored.dtype()) || outputs_[i].meaning == Meaning::ids;
    if (!exact) check.allowed = tolerance_ * largest_magnitude(pair.stored);
    const double close = scores == nullptr ? 0 : tolerance_ * largest_magnitude(*scores);
    for (std::int64_t e = 0; e < check.elements; ++e) {
      const double distance = difference(pair.before(e), pair.now(e));
      if (distance <= check.allowed) {
        check.largest_difference = std::max(check.largest_difference, distance);
        continue;
      }
      if (scores != nullptr && may_be_another(*scores, e, close)) continue;
      reject(check, pair, e);
    }
    return check;
  }

  [[noreturn]] static void reject(const OutputCheck& check, const Pair& pair, std::int64_t e) {
    fail(ErrorCode::malformed, "the model does not reproduce its sample: output '", printable(check.output),
         "' ", place(pair.stored.shape(), e), " is ", pair.now(e), "; the stored value is ", pair.before(e),
         check.allowed > 0 ? concat(" (", check.allowed, " is the largest difference allowed)") : "",
         ". Either the symbol or the .params file is damaged or is not the one the sample was stored with, "
         "or this processor computes wrongly. If another copy of the files also fails on another machine, "
         "please report a defect of this library");
  }

  const std::vector<NamedArray>& stored_;
  const std::vector<Tensor>& computed_;
  const std::vector<DataDesc>& outputs_;
  double tolerance_;
};

std::optional<Sample> sample_of(const Model& model) {
  const std::string& text = api::data_of(model).sample;
  if (text.empty()) return std::nullopt;
  graph::Graph carrier;
  carrier.attrs[formats::kSampleAttribute] = {"str", text};
  return formats::read_sample(carrier);
}

void require_same_names(const std::vector<NamedArray>& arrays, const std::vector<DataDesc>& descs,
                        const char* what) {
  bool same = arrays.size() == descs.size();
  for (std::size_t i = 0; same && i < arrays.size(); ++i) {
    same = arrays[i].name == descs[i].name && arrays[i].tensor.dtype() == descs[i].dtype;
  }
  if (same) return;
  std::string stored, has;
  for (const NamedArray& array : arrays) {
    stored += concat(stored.empty() ? "" : ", ", printable(array.name), " ", to_string(array.tensor.dtype()));
  }
  for (const DataDesc& desc : descs) has += (has.empty() ? "" : ", ") + to_string(desc);
  fail(ErrorCode::invalid_argument, "the sample's ", what, " are ", stored, ", but the model's are ", has,
       "; the sample can only be run on the model as it was stored, with its transforms and its own outputs");
}

std::vector<OutputCheck> run_sample(const Model& model, const Sample& sample, const Options& options) {
  const Signature& signature = model.signature();
  require_same_names(sample.inputs, signature.inputs, "inputs");
  require_same_names(sample.outputs, signature.outputs, "outputs");
  const Predictor predictor(model, options);
  std::vector<TensorView> inputs;
  for (const NamedArray& array : sample.inputs) inputs.emplace_back(array.tensor);
  return compare_outputs(sample.outputs, predictor.predict(Span<const TensorView>(inputs)), signature.outputs,
                         !api::data_of(model).quantization.empty());
}

}  // namespace

std::vector<OutputCheck> compare_outputs(const std::vector<NamedArray>& stored,
                                         const std::vector<Tensor>& computed,
                                         const std::vector<DataDesc>& outputs, bool is_quantized) {
  return Comparison(stored, computed, outputs, is_quantized ? kQuantizedTolerance : kTolerance).run();
}

void verify_on_load(const Model& model) {
  in_context([&] { return printable(model.name()); },
             [&] {
               if (const auto sample = sample_of(model)) run_sample(model, *sample, {});
             });
}

}  // namespace api

std::vector<OutputCheck> MXINFER_ABI::verify_model(const Model& model, const Options& options) try {
  return in_context(
      [&] { return printable(model.name()); },
      [&] {
        const auto sample = api::sample_of(model);
        if (!sample) {
          fail(ErrorCode::not_found,
               "it has no sample to run; store one with ModelBuilder::sample or `mxinfer fuse --sample`");
        }
        return api::run_sample(model, *sample, options);
      });
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
