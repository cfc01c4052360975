// The data of a Predictor.
#pragma once

#include <mxinfer/predictor.h>

#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "api/async/own_queue.h"
#include "api/async/started_call.h"
#include "api/core/row_verdicts.h"
#include "api/items/item_rows.h"
#include "base/fail.h"
#include "base/function_ref.h"
#include "base/threads/thread_arena.h"
#include "model/check_inputs.h"
#include "model/model_data.h"
#include "plan/plan.h"
#include "runtime/batch_runner.h"
#include "runtime/call_counters.h"
#include "runtime/graph_executor.h"
#include "runtime/image_batch_runner.h"
#include "runtime/memory_budget.h"
#include "runtime/plan_cache.h"
#include "runtime/queue/usual_time.h"
#include "runtime/thread_budget.h"
#include "vision/images/image_feed.h"

namespace mxinfer::api {

/// The network of one bucket of a bucketed model, with its own plans in the predictor's memory budget.
struct BucketNetwork {
  BucketNetwork(const Model& m, const runtime::Planner& like,
                const std::shared_ptr<runtime::MemoryBudget>& memory);
  Model model;
  runtime::Planner planner;
  std::shared_ptr<const OptimisedModel> network;
  runtime::GraphExecutor executor;
};

}  // namespace mxinfer::api

namespace mxinfer {

/// The zeros for optional inputs, by the types of the given inputs. Thread-safe.
class ZeroInputs {
 public:
  /// By input; empty tensors for given ones. Created on demand.
  std::shared_ptr<const std::vector<Tensor>> of(const std::vector<ops::TensorType>& given,
                                                const std::function<std::vector<Tensor>()>& make);

 private:
  static constexpr std::size_t kMost = 32;
  struct Entry {
    std::vector<ops::TensorType> given;
    std::shared_ptr<const std::vector<Tensor>> zeros;
  };
  std::mutex mutex_;
  std::list<Entry> entries_;
};

// Hidden, because a class nested in an exported one would be exported too.
struct __attribute__((visibility("hidden"))) Predictor::Impl {
  Impl(const Model& m, const Options& o);

  const api::ModelData& data() const { return api::data_of(model); }
  /// All inputs in order, with zeros for optional ones that are left out.
  struct Completed {
    Span<const TensorView> views;
    std::vector<TensorView> all;  ///< owns views of left-out inputs
    std::shared_ptr<const std::vector<Tensor>> zeros;
  };
  Completed complete(Span<const TensorView> inputs);
  std::vector<Tensor> make_zeros(const std::vector<TensorView>& inputs) const;
  /// The inputs of predict in the form for plans: checked, completed, with a batch.
  struct Prepared {
    Completed completed;
    std::vector<TensorView> batches;  ///< owns the views if a sample came without its batch
    Span<const TensorView> views;
  };
  void prepare(Span<const TensorView> inputs, Prepared& prepared);
  using CheckOutputs = FunctionRef<void(const std::vector<ops::TensorType>& expected)>;
  std::vector<Tensor> predict(Span<const TensorView> inputs);
  void predict_into(Span<const TensorView> inputs, Span<const MutableTensorView> outputs, CheckOutputs check);
  void predict_on_device(Span<const TensorView> inputs, Span<const MutableTensorView> outputs,
                         void* native_stream, CheckOutputs check);
  /// Like predict and predict_into, on a device without a waiting thread; null if the model or its plan does
  /// not run on the device alone.
  std::unique_ptr<api::StartedCall> start(Span<const TensorView> inputs, api::Resume resume,
                                          CheckOutputs check);
  /// Like predict, and like predict_lists of one item for each input, without a waiting thread if the device
  /// works alone. Otherwise the call has ended when this returns, and `resume` is called too. Precondition:
  /// the call has its place.
  void start_inputs(Span<const TensorView> inputs, api::Resume resume, api::StartedCall& call);
  void start_items(api::ItemLists inputs, api::Resume resume, api::StartedCall& call);
  /// The same of images as pack_images() takes them; false if it does not.
  bool start_images(Span<const Image> images, api::Resume resume, api::StartedCall& call);
  /// Plans whose operands are on the device; created at the first call.
  runtime::GraphExecutor& device_executor();
  std::vector<Tensor> predict_lists(api::ItemLists inputs, std::vector<ItemError>* errors);
  /// Like predict, for rows that are independent samples; any number of them, even if the network's batch is
  /// fixed.
  std::vector<Tensor> predict_rows(Span<const TensorView> inputs);
  /// The same for the part behind the items' transforms.
  std::vector<Tensor> run_list(Span<const TensorView> stacked);
  /// The images of a list, packed for a GPU that transforms all of them at once, and what runs them; nothing
  /// if items are no images of uint8, one of them is invalid, or the transforms are not what it does.
  using PackedBatch = runtime::ImageBatchRunner::Batch;
  std::optional<PackedBatch> pack_items(api::ItemLists inputs);
  /// The same of images for a bare network, which a class that takes images preprocesses.
  std::optional<PackedBatch> pack_images(Span<const Image> images);
  std::optional<std::vector<Tensor>> predict_packed(std::optional<PackedBatch> batch);
  /// Precondition: feed is set, by a class that takes images.
  void make_image_batches_of_feed();
  void predict_lists_into(api::ItemLists inputs, Span<const MutableTensorView> outputs, CheckOutputs check,
                          std::vector<ItemError>* errors);
  /// The arena of the process for Options::threads = 0.
  runtime::ThreadBudget& budget() {
    return options.threads == 0 ? runtime::ThreadBudget::of_process() : own_budget;
  }
  RequestQueue& queue() { return own_queue.get(options.async, counters); }

  /// Calls body(cache) for each cache of plans.
  template <typename Body>
  void for_each_cache(const Body& body) {
    body(executor);
    if (rest_executor) body(*rest_executor);
    const std::lock_guard lock(on_device_mutex);
    if (on_device) body(on_device->executor);
    item_rows.for_each_cache(body);
    if (image_batches) image_batches->for_each(body);
    for (const auto& bucket : bucket_networks) body(bucket->executor);
  }

  Model model;
  Options options;
  ThreadArena arena;
  /// Calls on one thread each do not wait for each other.
  runtime::ThreadBudget own_budget{options.threads == 1 ? 0 : options.threads};
  std::shared_ptr<runtime::CallCounters> counters = std::make_shared<runtime::CallCounters>();
  runtime::UsualTime usual_time{};
  runtime::BatchRunner batch_runner{arena};
  runtime::Planner planner;
  std::shared_ptr<runtime::MemoryBudget> memory;
  std::shared_ptr<const api::OptimisedModel> network;
  /// Runs the whole graph or, if the model takes items, the part behind their transforms.
  runtime::GraphExecutor executor;
  /// Of what is behind the items' transforms, where `executor` runs the whole.
  std::unique_ptr<runtime::GraphExecutor> rest_executor;
  /// Runs lists once their items have been transformed.
  runtime::GraphExecutor& list_executor() { return rest_executor ? *rest_executor : executor; }
  struct OnDevice {
    OnDevice(const Impl& impl, runtime::Planner p)
        : planner(std::move(p)), executor(impl.network->graph, impl.memory, planner) {}
    runtime::Planner planner;
    runtime::GraphExecutor executor;
  };
  api::ItemRows item_rows;  ///< of the model's transforms
  std::mutex on_device_mutex{};
  std::unique_ptr<OnDevice> on_device{};
  /// For inputs whose size only the owning class knows.
  std::vector<NamedShape> usual_shapes{};
  std::shared_ptr<const api::ImageFeed> feed{};  ///< of a class that takes images
  /// The transforms of `feed`, in front of the network's input.
  std::unique_ptr<passes::ItemStage> feed_stage{};
  /// Behind the transforms of the model or of `feed`; null: rows are transformed one by one.
  std::unique_ptr<runtime::ImageBatchRunner> image_batches{};
  /// For a bucketed model, the networks of all buckets but the largest; set by the constructor.
  std::vector<std::unique_ptr<api::BucketNetwork>> bucket_networks{};
  bool has_optional = false;  ///< inputs that may be left out
  /// The fixed batches of the whole network and of the part behind the items' transforms; nullopt if free.
  std::optional<std::int64_t> network_batch{};
  std::optional<std::int64_t> list_batch{};
  ZeroInputs zeros;
  api::RowVerdicts row_verdicts{};
  std::atomic<api::RowsOfImages> rows_of_images{api::RowsOfImages::unknown};
  api::OwnQueue own_queue{};  ///< last member: destroyed first, together with users of the others
};

namespace api {

/// For classes derived from Predictor.
class PredictorAccess {
 public:
  using Impl = Predictor::Impl;
  static Predictor::Impl& impl(const Predictor& predictor) { return *predictor.impl_; }
};

}  // namespace api
}  // namespace mxinfer
