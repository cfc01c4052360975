// Predictor: runs a model on arrays. Every predict is const, and any number of threads may call it on one
// object.
//
//   mxinfer::LoadOptions load;
//   load.inputs = {{"data", {-1, 3, 224, 224}}};               // needless if the file says it
//   mxinfer::Predictor predictor("resnet18_v1", {}, load);
//   std::vector<float> image(3 * 224 * 224);
//   auto outputs = predictor.predict_flat<float>({image});     // one sample, or a batch one after another
//   outputs[0];                                                // 1000 scores, as std::vector<float>
//
// There are four ways to give inputs, each with a twin that writes into memory of the caller: tensors in
// order (predict, predict_into), tensors by name (the same with maps), flat arrays (predict_flat,
// predict_flat_into) and lists of items of different sizes (predict_list, predict_list_into).
//
// predict_async and its like submit the same work to a queue and give a Prediction, whose result is ready
// later (docs/how-to/async.md).
//
// Shapes are bound when they are first seen: the plan for them (kernels, packed weights, memory) is made once
// and kept. A Predictor object is a handle: copies are cheap and share plans, workspaces and threads.
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

class MXINFER_API Predictor {
 public:
  /// Errors: unsupported (target), invalid_argument (options). Makes no plan and starts no thread yet.
  explicit Predictor(const Model& model, const Options& options = {});
  /// Loads the model first; errors as Model::load.
  explicit Predictor(const std::string& uri, const Options& options = {}, const LoadOptions& load = {});

  // Copies are cheap, also of a class derived from it: `Predictor p = classifier;` runs as the classifier
  // does. A predictor that was moved from stays what it is, so that there is never none.
  Predictor(const Predictor&) noexcept;
  Predictor& operator=(const Predictor&) noexcept;
  virtual ~Predictor();

  [[nodiscard]] const Model& model() const noexcept;
  [[nodiscard]] const Options& options() const noexcept;
  /// What the options ask for in vain, one sentence each: a tuning file of another machine.
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept;

  /// Runs on tensors in the order of model().signature().inputs, whole batches as they are. Gives the outputs
  /// in order. Errors (invalid_argument): a wrong number of inputs, a dtype or a shape that does not fit the
  /// descriptor; each names the input, what was given and what was expected. Dtypes and shapes that were only
  /// guessed may be others that the network takes; what it does not take is an error of the node that says
  /// so. Optional inputs (DataDesc::is_optional) are zeros if they are left out: all of them, or
  /// those given as an empty TensorView. A model with transforms also takes one sample without its batch,
  /// such as (height, width, channels), and as an encoded image the bytes of one file.
  [[nodiscard]] std::vector<Tensor> predict(const TensorViews& inputs) const;
  /// The same by name; every input that is not optional must be there, and no other name but those of labels
  /// that only training reads, which are passed over.
  [[nodiscard]] std::map<std::string, Tensor> predict(const NamedViews<TensorView>& inputs) const;
  /// As predict, into memory of the caller: one view for each output, in order, of its dtype and shape (see
  /// output_shapes); they must overlap no input. A call with shapes that were seen before allocates nothing,
  /// unless sizes depend on values or images are decoded.
  void predict_into(const TensorViews& inputs, const MutableTensorViews& outputs) const;
  /// The same by name; every output must be there.
  void predict_into(const NamedViews<TensorView>& inputs, const NamedViews<MutableTensorView>& outputs) const;

  /// As predict_into, with operands in the memory of the predictor's GPU (Options::device), as views that say
  /// so: TensorView(dtype, shape, address, {DeviceType::cuda, 0}). Enqueues the work in `stream`, a
  /// cudaStream_t of that GPU (null: CUDA's default stream), and returns; inputs must stay as they are, and
  /// outputs hold their values, when the stream has passed it. If a node runs on the CPU, the call waits for
  /// what that node reads. Errors: unsupported on the CPU, and for models that take items; invalid_argument
  /// for a view that is not of the GPU, and as predict_into. Thread-safe; one stream must not be used by two
  /// threads at a time.
  void predict_on_device(const TensorViews& inputs, const MutableTensorViews& outputs,
                         void* stream = nullptr) const;

  /// Runs on flat arrays, one for each input: one sample, or a batch of samples one after another. The count
  /// must be a multiple of the elements of one sample, and the same number of samples for every input; the
  /// dimensions other than the batch must be known from the signature, and not by a guess. In is the inputs'
  /// element type, Out that of all outputs.
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
  /// As predict_flat, into arrays of the caller, one for each output, of as many elements as it has.
  template <typename In, typename Out = float>
  void predict_flat_into(const ViewList<Span<const In>>& inputs, const ViewList<Span<Out>>& outputs) const {
    const std::vector<TensorView> views = shape_flat<In>(inputs);
    const std::vector<MutableTensorView> to = flat_outputs(outputs);
    run_flat_into(Span<const TensorView>(views), Span<const MutableTensorView>(to));
  }
  /// Flat arrays in the shapes that predict_flat gives them, for predict: its outputs are tensors, of any
  /// dtype each, and say how many samples there were.
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

  /// Runs a model with transforms on items of different sizes: images as (height, width, channels) or
  /// (1, height, width, channels), or the bytes of files if the input is an encoded image. They go
  /// through the transforms side by side and then through the network as one batch, in their order. Errors
  /// (invalid_argument, and those of decode_image) name the first item that is wrong; unsupported if the
  /// model has no transforms, or takes other inputs too. With `errors`, items that are wrong are reported
  /// there, in order, and cost the others nothing: the outputs keep a row for each item, and those of wrong
  /// ones are NaN, or 0 if the output has integers. There are no outputs if every item is wrong.
  [[nodiscard]] std::vector<Tensor> predict_list(const TensorViews& items,
                                                 std::vector<ItemError>* errors = nullptr) const;
  /// The same with one list for each input, all of one length; an input without transforms takes samples
  /// without their batch.
  [[nodiscard]] std::vector<Tensor> predict_list(Span<const std::vector<TensorView>> inputs,
                                                 std::vector<ItemError>* errors = nullptr) const;
  /// As predict_list, into memory of the caller; if every item is wrong, nothing is written.
  void predict_list_into(const TensorViews& items, const MutableTensorViews& outputs,
                         std::vector<ItemError>* errors = nullptr) const;
  void predict_list_into(Span<const std::vector<TensorView>> inputs, const MutableTensorViews& outputs,
                         std::vector<ItemError>* errors = nullptr) const;

  // The asynchronous twins submit to queue() and return at once. Views, spans and lvalues are borrowed: what
  // they point to must live, unchanged, until the prediction has ended; an rvalue std::vector<Tensor> moves
  // in. Errors of the queue (Options::async) are thrown: too_many_requests, out_of_memory; all others, of
  // arguments too, come with the prediction. When the last copy of the predictor is destroyed, what waits is
  // cancelled, and what runs is waited for.

  /// As predict.
  [[nodiscard]] Prediction<std::vector<Tensor>> predict_async(const TensorViews& inputs,
                                                              const SubmitOptions& options = {}) const;
  template <typename Tensors, typename = std::enable_if_t<std::is_same_v<Tensors, std::vector<Tensor>>>>
  [[nodiscard]] Prediction<std::vector<Tensor>> predict_async(Tensors&& inputs,
                                                              const SubmitOptions& options = {}) const {
    return predict_moved_async(std::forward<Tensors>(inputs), options);
  }
  /// As predict_into. A warm call of up to four inputs and outputs allocates nothing, unless it runs in a
  /// batch.
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
  /// As predict_list, without a list of errors: the first item that is wrong fails the prediction.
  [[nodiscard]] Prediction<std::vector<Tensor>> predict_list_async(const TensorViews& items,
                                                                   const SubmitOptions& options = {}) const;
  /// The queue of this predictor and its copies, for work of the caller beside theirs, callbacks and metrics.
  /// Made at the first call. It lives as long as a copy of the predictor.
  [[nodiscard]] RequestQueue& queue() const;

  /// Arrays by name in the order that predict takes them, with an empty TensorView for optional inputs that
  /// are not there; for outputs in their order. Errors as those of predict by name.
  [[nodiscard]] std::vector<TensorView> order_inputs(const NamedViews<TensorView>& inputs) const;

  /// The shapes of all inputs that output_shapes, warmup and explain stand for: those that are given, and for
  /// the others the signature's, with 1 for a free batch. Images that the model resizes are of 640 x 480
  /// pixels, or more if its transforms need that, others of open size of 224 x 224, or as near as it takes,
  /// those of ImageClassifier and ObjectDetector as they give them. Optional inputs follow. Errors
  /// (invalid_argument): a name that is not an input, and a shape that leaves open more than the batch.
  [[nodiscard]] std::vector<NamedShape> input_shapes(const std::vector<NamedShape>& given = {}) const;
  /// Names, shapes and dtypes of the outputs for input_shapes(shapes). An output whose size depends on
  /// values (boolean_mask) has no shape here (rank 0).
  [[nodiscard]] std::vector<DataDesc> output_shapes(const std::vector<NamedShape>& shapes = {}) const;
  /// Makes the plan for input_shapes(shapes), packs weights and runs it once on zeros, so that the
  /// first request is as fast as the next ones. Of an ImageClassifier or ObjectDetector, without shapes, it
  /// runs one image.
  void warmup(const std::vector<NamedShape>& shapes = {}) const;
  /// What runs for input_shapes(shapes), and why. Makes the plan if it is not there yet.
  [[nodiscard]] PlanInfo explain(const std::vector<NamedShape>& shapes = {}) const;

  /// What it has done and holds, at about this moment.
  [[nodiscard]] PredictorStats stats() const;
  /// Counts and times of the calls of this predictor and its copies, synchronous and asynchronous, those of
  /// warmup among them. Takes no lock.
  [[nodiscard]] CallMetrics metrics() const noexcept;
  /// metrics() and memory() in Prometheus' text format, as the functions prometheus_text of both write them;
  /// `labels` goes into the braces of each: R"(model="resnet18")". For several predictors, give each its
  /// labels and join the texts `with_help` for the first alone.
  [[nodiscard]] std::string prometheus_text(std::string_view labels = {}, bool with_help = true) const;
  /// What it holds, at about this moment. Options::max_plan_bytes, max_memory_bytes and idle_limit bound it.
  [[nodiscard]] PredictorMemory memory() const;
  /// Releases the workspaces that wait for a call, and packed weights that no plan of the model uses any
  /// more; says how many bytes they had. Plans and the weights that they use stay: the next calls allocate
  /// their workspaces again.
  std::size_t trim() const;

 protected:
  /// A copy that does not keep what it shares, for a request of the predictor's own queue, which ends first.
  template <typename P>
  [[nodiscard]] static P borrow(P copy) {
    Predictor& base = copy;
    base.let_go();
    return copy;
  }
  /// What a request is to own.
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
