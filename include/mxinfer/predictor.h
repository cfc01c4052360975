// Predictor: runs a model on arrays. Any number of threads may use one object.
//
//   mxinfer::LoadOptions load;
//   load.inputs = {{"data", {-1, 3, 224, 224}}};               // not needed if the file states it
//   mxinfer::Predictor predictor("resnet18_v1", {}, load);
//   std::vector<float> image(3 * 224 * 224);
//   auto outputs = predictor.predict_flat<float>({image});     // one sample, or a batch one after another
//   outputs[0];                                                // 1000 scores, as std::vector<float>
//
// You can pass inputs in four ways: tensors in order (predict), tensors by name (also predict), flat arrays
// (predict_flat), and lists of items of different sizes (predict_list). Functions that end in _into write to
// your memory instead of returning outputs.
//
// Functions that end in _async submit the same work to a queue and return a Prediction, whose result is ready
// later (docs/how-to/async.md).
//
// The first call with a set of input shapes makes the plan for them (kernels, packed weights, memory), and
// later calls reuse it. A Predictor object is a handle: copies are cheap and share plans, workspaces and
// threads.
#pragma once

#include <mxinfer/async/call_metrics.h>
#include <mxinfer/async/prediction.h>
#include <mxinfer/async/request_queue.h>
#include <mxinfer/error.h>
#include <mxinfer/export.h>
#include <mxinfer/item_error.h>
#include <mxinfer/memory_use.h>
#include <mxinfer/model.h>
#include <mxinfer/named_views.h>
#include <mxinfer/options.h>
#include <mxinfer/plan_info.h>
#include <mxinfer/predictor_stats.h>
#include <mxinfer/span.h>
#include <mxinfer/tensor.h>
#include <mxinfer/view_list.h>

#include <cstddef>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace mxinfer::api {
class PredictorAccess;
}  // namespace mxinfer::api

namespace mxinfer {
inline namespace MXINFER_ABI {

/// Runs a model on arrays. All functions are thread-safe.
class MXINFER_API Predictor {
 public:
  /// Makes no plan and starts no thread yet. Throws Error(unsupported) if the CPU does not have
  /// Options::target, and Error(invalid_argument) if another option is invalid; the fields of Options name
  /// further errors.
  explicit Predictor(const Model& model, const Options& options = {});
  /// Loads the model and makes a predictor for it. Also throws as Model::load.
  explicit Predictor(const std::string& uri, const Options& options = {}, const LoadOptions& load = {});

  // Copies are cheap. A copy of a derived object (`Predictor p = classifier;`) runs as that class does. A
  // move copies: the moved-from object stays valid.
  Predictor(const Predictor&) noexcept;
  Predictor& operator=(const Predictor&) noexcept;
  virtual ~Predictor();

  /// The model and the options that the predictor was made with.
  [[nodiscard]] const Model& model() const noexcept;
  [[nodiscard]] const Options& options() const noexcept;
  /// Returns which options have no effect, one sentence each, such as a tuning file from another machine.
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept;

  /// Runs the model on tensors in the order of model().signature().inputs and returns the outputs in order.
  ///
  /// If the dtype or shape of an input was inferred, you may pass any other that the network accepts. If you
  /// leave out optional inputs (DataDesc::is_optional), they are zeros: leave out all of them, or pass an
  /// empty TensorView for some. A model with transforms also takes one sample without its batch, such as
  /// (height, width, channels), and for an encoded image the bytes of one file.
  ///
  /// Throws Error(invalid_argument) if the number of inputs is wrong, or if a dtype or shape does not fit its
  /// descriptor. The message names the input, what was given and what was expected. If the network does not
  /// accept a dtype or shape, the error names the node.
  [[nodiscard]] std::vector<Tensor> predict(const TensorViews& inputs) const;
  /// As predict, by name. Throws Error(invalid_argument) if a required input is missing or a name is unknown.
  /// Names of labels that only training reads are ignored.
  [[nodiscard]] std::map<std::string, Tensor> predict(const NamedViews<TensorView>& inputs) const;
  /// As predict, into your memory: one view for each output, in order, with its dtype and shape (see
  /// output_shapes). The memory of outputs must not overlap inputs. A call with shapes that were seen before
  /// allocates nothing, unless sizes depend on values or images are decoded.
  void predict_into(const TensorViews& inputs, const MutableTensorViews& outputs) const;
  /// As above, by name. You must pass every output.
  void predict_into(const NamedViews<TensorView>& inputs, const NamedViews<MutableTensorView>& outputs) const;

  /// As predict_into, with inputs and outputs in memory of one of the predictor's GPUs (Options::device),
  /// which runs the call. Pass views that say so: TensorView(dtype, shape, address, {DeviceType::cuda, 0}).
  /// Enqueues the work in `stream`, a cudaStream_t of that GPU (null: CUDA's default stream), and returns.
  /// Until the stream has finished this work, do not change the inputs and do not read the outputs. If a node
  /// runs on the CPU, the call waits for the inputs of that node.
  ///
  /// Throws Error(unsupported) if the predictor runs on the CPU, if the model transforms each item by itself
  /// (as end-to-end models for images do), or if sizes depend on values. Throws Error(invalid_argument) if a
  /// view is not in the memory of one of the predictor's GPUs, if views are in the memory of different GPUs,
  /// or if an input is left out, and as predict_into. Thread-safe, but two threads must not use one stream at
  /// the same time.
  void predict_on_device(const TensorViews& inputs, const MutableTensorViews& outputs,
                         void* stream = nullptr) const;

  /// Runs the model on flat arrays, one for each input: one sample, or the samples of a batch one after
  /// another. The number of elements must be a multiple of that of one sample, and every input must have the
  /// same number of samples. All dimensions of an input but the batch must be known, and not be a guess
  /// (DataDesc::is_guess). `In` is the element type of the inputs, `Out` that of all outputs.
  template <typename In, typename Out = float>
  [[nodiscard]] std::vector<std::vector<Out>> predict_flat(const ViewList<Span<const In>>& inputs) const try {
    std::vector<std::vector<Out>> result;
    for (const Tensor& output : predict(shape_flat<In>(inputs))) {
      const Span<const Out> values = output.template span<Out>();
      result.emplace_back(values.begin(), values.end());
    }
    return result;
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "the memory for the arrays that a predictor returns was refused");
  }
  /// As predict_flat, into your arrays: one for each output, with as many elements as it has.
  template <typename In, typename Out = float>
  void predict_flat_into(const ViewList<Span<const In>>& inputs, const ViewList<Span<Out>>& outputs) const {
    const std::vector<TensorView> views = shape_flat<In>(inputs);
    const std::vector<MutableTensorView> to = flat_outputs(outputs);
    run_flat_into(Span<const TensorView>(views), Span<const MutableTensorView>(to));
  }
  /// Returns views of flat arrays in the shapes that predict_flat gives them. Pass them to predict if outputs
  /// have different dtypes, or to learn the number of samples from the outputs' shapes.
  template <typename In>
  [[nodiscard]] std::vector<TensorView> shape_flat(const ViewList<Span<const In>>& inputs) const try {
    std::vector<TensorView> views;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      views.emplace_back(inputs[i].data(), flat_shape(i, inputs.size(), inputs[i].size()));
    }
    return views;
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "the memory for the inputs of a predictor was refused");
  }

  /// Runs a model with transforms on items of different sizes. An item is an image (height, width, channels)
  /// or (1, height, width, channels), or the bytes of a file if the input is an encoded image. The items go
  /// through the transforms in parallel, and then through the network as one batch, in their order.
  ///
  /// Without `errors`, the first item that fails makes the call throw: Error(invalid_argument) or an error of
  /// decode_image, which names the item. With `errors`, failed items are appended there in order, and the
  /// others are not affected. Outputs keep a row for each item; rows of failed items are NaN, or 0 if the
  /// output has integers. If every item fails, there are no outputs. Throws Error(unsupported) if the model
  /// has no transforms, and Error(invalid_argument) if it has more than one input.
  [[nodiscard]] std::vector<Tensor> predict_list(const TensorViews& items,
                                                 std::vector<ItemError>* errors = nullptr) const;
  /// As above, with one list for each input, all of the same length. Inputs without transforms take samples
  /// without the batch.
  [[nodiscard]] std::vector<Tensor> predict_list(Span<const std::vector<TensorView>> inputs,
                                                 std::vector<ItemError>* errors = nullptr) const;
  /// As predict_list, into your memory. If every item fails, nothing is written.
  void predict_list_into(const TensorViews& items, const MutableTensorViews& outputs,
                         std::vector<ItemError>* errors = nullptr) const;
  void predict_list_into(Span<const std::vector<TensorView>> inputs, const MutableTensorViews& outputs,
                         std::vector<ItemError>* errors = nullptr) const;

  // The asynchronous functions submit to queue() and return at once. Views, spans and lvalues are borrowed:
  // what they refer to must live, unchanged, until the prediction has ended. An rvalue std::vector<Tensor> is
  // moved. Errors of the queue (Options::async) are thrown at once: too_many_requests and out_of_memory. All
  // other errors, those of arguments included, are thrown by Prediction::get(). The destructor of the last
  // copy of the predictor cancels waiting predictions and waits for running ones.

  /// As predict.
  [[nodiscard]] Prediction<std::vector<Tensor>> predict_async(const TensorViews& inputs,
                                                              const SubmitOptions& options = {}) const;
  template <typename Tensors, typename = std::enable_if_t<std::is_same_v<Tensors, std::vector<Tensor>>>>
  [[nodiscard]] Prediction<std::vector<Tensor>> predict_async(Tensors&& inputs,
                                                              const SubmitOptions& options = {}) const {
    return predict_moved_async(std::forward<Tensors>(inputs), options);
  }
  /// As predict_into. Once the plan exists, a call with up to four inputs and outputs allocates nothing,
  /// unless it runs in a batch.
  [[nodiscard]] Prediction<void> predict_into_async(const TensorViews& inputs,
                                                    const MutableTensorViews& outputs,
                                                    const SubmitOptions& options = {}) const;
  /// As predict_flat.
  template <typename In, typename Out = float>
  [[nodiscard]] Prediction<std::vector<std::vector<Out>>> predict_flat_async(
      const ViewList<Span<const In>>& inputs, const SubmitOptions& options = {}) const try {
    return queue().submit(
        [self = borrow(*this), arrays = std::vector<Span<const In>>(inputs.begin(), inputs.end())] {
          return self.template predict_flat<In, Out>(arrays);
        },
        options);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "the memory for a request was refused");
  }
  /// As predict_list without `errors`: the first item that fails makes the prediction fail.
  [[nodiscard]] Prediction<std::vector<Tensor>> predict_list_async(const TensorViews& items,
                                                                   const SubmitOptions& options = {}) const;
  /// Returns the queue of this predictor and its copies. Use it for work of your own, callbacks and metrics.
  /// The first call makes it. It lives as long as a copy of the predictor.
  [[nodiscard]] RequestQueue& queue() const;

  /// Returns arrays by name in the order that predict takes them. Optional inputs that are missing are empty
  /// TensorViews. Throws as predict by name.
  [[nodiscard]] std::vector<TensorView> order_inputs(const NamedViews<TensorView>& inputs) const;

  /// Returns the shapes of all inputs that output_shapes, warmup and explain use. Inputs that are not in
  /// `given` have the shape of the signature, with 1 for a free batch. If the height and width are free, an
  /// image that the model resizes has 640 x 480 pixels, or more if its transforms need that. Any other image
  /// has 224 x 224, or the nearest usual size that the network takes. For an ImageClassifier or
  /// ObjectDetector it has the size that the class passes to the network. Optional inputs follow from the
  /// others. Throws Error(invalid_argument) if a name is not an input, or if more than the batch stays free.
  [[nodiscard]] std::vector<NamedShape> input_shapes(const std::vector<NamedShape>& given = {}) const;
  /// Returns the names, shapes and dtypes of the outputs for input_shapes(shapes). If the size of an output
  /// depends on values (boolean_mask), its shape has rank 0.
  [[nodiscard]] std::vector<DataDesc> output_shapes(const std::vector<NamedShape>& shapes = {}) const;
  /// Makes the plan for input_shapes(shapes), packs weights and runs the plan once on zeros, so that the
  /// first request is as fast as later ones. For an ImageClassifier or ObjectDetector without `shapes`, runs
  /// one image.
  void warmup(const std::vector<NamedShape>& shapes = {}) const;
  /// Returns what runs for input_shapes(shapes), and why. Makes the plan if there is none.
  [[nodiscard]] PlanInfo explain(const std::vector<NamedShape>& shapes = {}) const;

  /// Returns counts and memory of this predictor and its copies, at about this moment.
  [[nodiscard]] PredictorStats stats() const;
  /// Returns counts and times of the calls of this predictor and its copies, both synchronous and
  /// asynchronous, those of warmup included. Takes no lock.
  [[nodiscard]] CallMetrics metrics() const noexcept;
  /// Returns metrics() and memory() in Prometheus' text format, as the functions prometheus_text write them.
  /// `labels` goes into the braces of each line: R"(model="resnet18")". For several predictors, give each its
  /// own labels, set `with_help` for the first only, and concatenate the texts.
  [[nodiscard]] std::string prometheus_text(std::string_view labels = {}, bool with_help = true) const;
  /// Returns the memory of this predictor and its copies, at about this moment. Options::max_plan_bytes,
  /// max_memory_bytes and idle_limit bound it.
  [[nodiscard]] PredictorMemory memory() const;
  /// Releases idle workspaces, and packed weights that no plan of the model uses any more. Returns how many
  /// bytes it released. Plans and their weights stay; the next calls allocate workspaces again.
  std::size_t trim() const;

 protected:
  /// Returns a copy that does not own what it shares, for requests of the predictor's own queue, which end
  /// first.
  template <typename P>
  [[nodiscard]] static P borrow(P copy) {
    Predictor& base = copy;
    base.let_go();
    return copy;
  }
  /// Moves or copies a value to where a request can own it.
  template <typename T>
  [[nodiscard]] static std::shared_ptr<const std::decay_t<T>> hold(T&& value) try {
    return std::make_shared<const std::decay_t<T>>(std::forward<T>(value));
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "the memory for a request was refused");
  }

 private:
  friend class api::PredictorAccess;
  Shape flat_shape(std::size_t index, std::size_t count, std::size_t elements) const;
  template <typename Out>
  static std::vector<MutableTensorView> flat_outputs(const ViewList<Span<Out>>& outputs) try {
    std::vector<MutableTensorView> views;
    for (const Span<Out>& output : outputs)
      views.emplace_back(output.data(), Shape{static_cast<std::int64_t>(output.size())});
    return views;
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "the memory for the outputs of a predictor was refused");
  }
  Prediction<std::vector<Tensor>> predict_moved_async(std::vector<Tensor> inputs,
                                                      const SubmitOptions& options) const;
  void let_go() noexcept;
  struct PredictJob;
  struct PredictIntoJob;
  void run_flat_into(Span<const TensorView> inputs, Span<const MutableTensorView> outputs) const;

  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
