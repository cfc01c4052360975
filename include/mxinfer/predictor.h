// Predictor: runs a model on arrays. Every predict is const, and any number of threads may call it on one
// object.
//
//   mxinfer::LoadOptions load;
//   load.inputs = {{"data", {-1, 3, 224, 224}}};               // needless where the file says it
//   mxinfer::Predictor predictor("resnet18_v1", {}, load);
//   std::vector<float> image(3 * 224 * 224);
//   auto outputs = predictor.predict<float>({image});          // one sample, or a batch one after another
//   outputs[0];                                                // 1000 scores, as std::vector<float>
//
// Shapes are bound when they are first seen: the plan for them (kernels, packed weights, memory) is made once
// and kept.
#pragma once

#include <mxinfer/error.h>
#include <mxinfer/export.h>
#include <mxinfer/model.h>
#include <mxinfer/plan_info.h>
#include <mxinfer/span.h>
#include <mxinfer/tensor.h>

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace mxinfer {

struct Options {
  /// Threads that one call may use; 0: all cores this process may use. Below 0 or above the larger of 1024
  /// and 8 for each core: an Error(invalid_argument).
  int threads = 0;
  /// The instruction set: "ref", "baseline", "avx2", "avx512"; empty: the environment variable
  /// MXINFER_TARGET, or the best that the CPU has. An Error(unsupported) where the CPU lacks it.
  std::string target{};
  /// What the large products, and the values between them, are computed in: "float32" (as is empty) or
  /// "bfloat16", which halves their memory and is faster where the CPU has instructions for it
  /// (docs/precision.md). Inputs, outputs and sums stay what they are.
  std::string precision{};
  /// Choices of kernels that were measured on this machine: a file that tune() or `mxinfer tune` made. One of
  /// another machine is ignored with a warning (PlanInfo::warnings). Empty: a cost model chooses.
  std::string tuning_file{};
  /// Memory for the weights of Winograd's algorithm in one plan, in bytes. They take up to four times that of
  /// the weights they are made from; where they would take more than this, the convolutions that gain least
  /// for each byte are computed directly.
  std::size_t max_winograd_bytes = std::numeric_limits<std::size_t>::max();
  /// Plans kept, one for each set of input shapes; the least recently used one goes.
  std::size_t max_plans = 32;
};

/// What went wrong with one item of a list.
struct ItemError {
  std::size_t item = 0;  ///< its position in the list, from 0
  Error error;
};

/// An input or output shape by name.
using NamedShape = std::pair<std::string, Shape>;

class MXINFER_API Predictor {
 public:
  /// Errors: unsupported (target), invalid_argument (options). Makes no plan and starts no thread yet.
  explicit Predictor(std::shared_ptr<const Model> model, const Options& options = {});
  /// Loads the model first; errors as Model::load.
  explicit Predictor(const std::string& uri, const Options& options = {}, const LoadOptions& load = {});
  virtual ~Predictor();
  Predictor(Predictor&&) noexcept;
  Predictor& operator=(Predictor&&) noexcept;

  const Model& model() const noexcept;
  std::shared_ptr<const Model> shared_model() const noexcept;
  const Options& options() const noexcept;
  /// What the options ask for in vain, one sentence each: a tuning file of another machine.
  const std::vector<std::string>& warnings() const noexcept;

  /// Runs on tensors in the order of model().signature().inputs, whole batches as they are. Gives the outputs
  /// in order. Errors (invalid_argument): a wrong number of inputs, a dtype or a shape that does not fit the
  /// descriptor; each names the input, what was given and what was expected. Dtypes and shapes that were only
  /// guessed may be others that the network takes; what it does not take is an error of the node that says
  /// so. Inputs that are optional (DataDesc::is_optional) are zeros where they are left out: all of them, or
  /// those given as an empty TensorView. A model with transforms also takes one sample without its batch,
  /// such as (height, width, channels), and as an encoded picture the bytes of one file.
  std::vector<Tensor> predict(Span<const TensorView> inputs) const;
  std::vector<Tensor> predict(std::initializer_list<TensorView> inputs) const;
  /// The same by name; every input that is not optional must be there, and no other name but those of labels
  /// that only training reads, which are passed over.
  std::map<std::string, Tensor> predict(const std::map<std::string, TensorView>& inputs) const;
  /// Arrays by name in the order that predict takes them, with an empty TensorView for optional inputs that
  /// are not there; for outputs in their order. Errors as those of predict by name.
  std::vector<TensorView> order_inputs(const std::map<std::string, TensorView>& inputs) const;

  /// Runs on flat arrays, one for each input: one sample, or a batch of samples one after another. The count
  /// must be a multiple of the elements of one sample, and the same number of samples for every input; the
  /// dimensions other than the batch must be known from the signature, and not by a guess. In is the inputs'
  /// element type, Out that of all outputs.
  template <typename In, typename Out = float>
  std::vector<std::vector<Out>> predict(std::initializer_list<Span<const In>> inputs) const {
    return predict_flat<In, Out>(Span<const Span<const In>>(inputs.begin(), inputs.size()));
  }
  template <typename In, typename Out = float>
  std::vector<std::vector<Out>> predict_flat(Span<const Span<const In>> inputs) const try {
    std::vector<std::vector<Out>> result;
    for (const Tensor& output : predict_samples(inputs)) {
      const Span<const Out> values = output.template span<Out>();
      result.emplace_back(values.begin(), values.end());
    }
    return result;
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "the memory for the arrays that a predictor returns was refused");
  }

  /// The same, giving tensors: outputs then may have any element type, and say how many samples there were.
  template <typename In>
  std::vector<Tensor> predict_samples(Span<const Span<const In>> inputs) const try {
    std::vector<TensorView> views;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      views.emplace_back(inputs[i].data(), flat_shape(i, inputs.size(), inputs[i].size()));
    }
    return predict(Span<const TensorView>(views));
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "the memory for the inputs of a predictor was refused");
  }

  /// Runs a model with transforms on items of different sizes: pictures as (height, width, channels) or
  /// (1, height, width, channels), or the bytes of files where the input is an encoded picture. They go
  /// through the transforms side by side and then through the network as one batch, in their order. Errors
  /// (invalid_argument, and those of decode_image) name the first item that is wrong; unsupported where the
  /// model has no transforms, or takes other inputs too.
  std::vector<Tensor> predict_list(Span<const TensorView> items) const;
  std::vector<Tensor> predict_list(std::initializer_list<TensorView> items) const;
  /// The same with one list for each input, all of one length; an input without transforms takes samples
  /// without their batch. With `errors`, items that are wrong are reported there, in order, and cost the
  /// others nothing: the outputs keep a row for each item, and those of wrong ones are NaN, or 0 where the
  /// output has integers. There are no outputs where every item is wrong.
  std::vector<Tensor> predict_lists(Span<const std::vector<TensorView>> inputs,
                                    std::vector<ItemError>* errors = nullptr) const;

  /// As predict, into tensors of the caller; their dtypes and shapes must be those of the outputs (see
  /// output_shapes). A call with shapes that were seen before allocates nothing.
  void predict_into(Span<const TensorView> inputs, Span<Tensor> outputs) const;

  /// The shapes of all inputs that output_shapes, warmup and explain stand for: those that are given, and for
  /// the others the signature's, with 1 for a free batch. Pictures that the model resizes itself are of
  /// 640 x 480 pixels, or larger where its transforms need that; ImageClassifier and ObjectDetector have the
  /// size that they give their network. Optional inputs have the shape that follows from the others. Errors
  /// (invalid_argument): a name that is no input, and a shape that leaves open more than the batch.
  std::vector<NamedShape> input_shapes(const std::vector<NamedShape>& given = {}) const;
  /// Names, shapes and dtypes of the outputs for input_shapes(shapes). An output whose size depends on
  /// values (boolean_mask) has no shape here (rank 0).
  std::vector<DataDesc> output_shapes(const std::vector<NamedShape>& shapes = {}) const;
  /// Makes the plan for input_shapes(shapes), packs weights and runs it once on zeros, so that the
  /// first request is as fast as the next ones.
  virtual void warmup(const std::vector<NamedShape>& shapes = {}) const;
  /// What runs for input_shapes(shapes), and why. Makes the plan where it is not there yet.
  PlanInfo explain(const std::vector<NamedShape>& shapes = {}) const;

 protected:
  /// Calls body(i) for each i below count on the predictor's threads. What a body throws is thrown again
  /// here, that of the smallest i, after the others have ended; with `errors`, every Error is kept there.
  void for_each(std::size_t count, const std::function<void(std::size_t)>& body,
                std::vector<ItemError>* errors = nullptr) const;
  /// What input_shapes() gives for inputs whose size nobody says.
  void assume_shapes(std::vector<NamedShape> shapes);

 private:
  Shape flat_shape(std::size_t index, std::size_t count, std::size_t elements) const;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace mxinfer
