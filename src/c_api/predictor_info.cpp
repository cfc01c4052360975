// Information about a predictor: shapes, plans, memory and metrics.
#include <mxinfer/async/call_metrics.h>
#include <mxinfer/memory_use.h>
#include <mxinfer_c/predictor.h>

#include <string_view>

#include "c_api/call.h"
#include "c_api/handles.h"
#include "c_api/metrics.h"
#include "c_api/structs.h"
#include "c_api/views.h"

using namespace mxinfer;
using namespace mxinfer::c_api;

mxinfer_call_metrics c_api::metrics_of(const CallMetrics& m) {
  return {0,
          m.submitted,
          m.waiting,
          m.running,
          m.done,
          m.failed,
          m.cancelled,
          m.expired,
          m.refused,
          m.batches,
          m.batched,
          m.queue_time.quantile_seconds(0.5),
          m.queue_time.quantile_seconds(0.99),
          m.run_time.quantile_seconds(0.5),
          m.run_time.quantile_seconds(0.99)};
}

mxinfer_status mxinfer_predictor_input_shapes(const mxinfer_predictor* predictor, const mxinfer_shape* shapes,
                                              size_t count, mxinfer_descs** out) {
  return call([&] {
    const Predictor& self = need(predictor, "predictor").predictor;
    mxinfer_descs*& descs = need(out, "out");
    auto made = std::make_unique<mxinfer_descs>();
    made->list = self.model().signature().inputs;
    for (auto& [name, shape] : self.input_shapes(named_shapes(shapes, count))) {
      for (DataDesc& desc : made->list) {
        if (desc.name == name) desc.shape = shape;
      }
    }
    descs = made.release();
  });
}

mxinfer_status mxinfer_predictor_output_shapes(const mxinfer_predictor* predictor,
                                               const mxinfer_shape* shapes, size_t count,
                                               mxinfer_descs** out) {
  return call([&] {
    const Predictor& self = need(predictor, "predictor").predictor;
    mxinfer_descs*& descs = need(out, "out");
    descs = new mxinfer_descs{self.output_shapes(named_shapes(shapes, count))};
  });
}

mxinfer_status mxinfer_predictor_warmup(const mxinfer_predictor* predictor, const mxinfer_shape* shapes,
                                        size_t count) {
  return call([&] { need(predictor, "predictor").predictor.warmup(named_shapes(shapes, count)); });
}

mxinfer_status mxinfer_predictor_explain(const mxinfer_predictor* predictor, const mxinfer_shape* shapes,
                                         size_t count, char** out) {
  return call([&] {
    const Predictor& self = need(predictor, "predictor").predictor;
    char*& text = need(out, "out");
    text = copy_text(to_string(self.explain(named_shapes(shapes, count))));
  });
}

size_t mxinfer_predictor_warning_count(const mxinfer_predictor* predictor) {
  return predictor == nullptr ? 0 : predictor->predictor.warnings().size();
}

const char* mxinfer_predictor_warning(const mxinfer_predictor* predictor, size_t index) {
  if (index >= mxinfer_predictor_warning_count(predictor)) return nullptr;
  return predictor->predictor.warnings()[index].c_str();
}

mxinfer_status mxinfer_predictor_stats(const mxinfer_predictor* predictor, mxinfer_stats* stats) {
  return call([&] {
    const PredictorStats s = need(predictor, "predictor").predictor.stats();
    write_struct(need(stats, "stats"), {0, s.calls, s.plan_misses, s.plans_made, s.plans, s.running,
                                        s.idle_executors, s.executor_bytes, s.weight_bytes});
  });
}

mxinfer_status mxinfer_predictor_memory(const mxinfer_predictor* predictor, mxinfer_memory* memory) {
  return call([&] {
    const PredictorMemory m = need(predictor, "predictor").predictor.memory();
    write_struct(need(memory, "memory"), {0, m.weights.stored_weights, m.weights.packed_weights, m.plans,
                                          m.workspaces, m.idle_workspaces});
  });
}

mxinfer_status mxinfer_model_memory(const mxinfer_model* model, mxinfer_memory* memory) {
  return call([&] {
    const ModelMemory m = need(model, "model").model.memory();
    write_struct(need(memory, "memory"), {0, m.stored_weights, m.packed_weights, 0, 0, 0});
  });
}

mxinfer_status mxinfer_predictor_metrics(const mxinfer_predictor* predictor, mxinfer_call_metrics* metrics) {
  return call([&] {
    const Predictor& self = need(predictor, "predictor").predictor;
    write_struct(need(metrics, "metrics"), metrics_of(self.metrics()));
  });
}

mxinfer_status mxinfer_predictor_prometheus(const mxinfer_predictor* predictor, const char* labels,
                                            int with_help, char** out) {
  return call([&] {
    const Predictor& self = need(predictor, "predictor").predictor;
    char*& text = need(out, "out");
    const std::string_view braces = labels != nullptr ? labels : "";
    text = copy_text(self.prometheus_text(braces, with_help != 0));
  });
}

mxinfer_status mxinfer_predictor_trim(const mxinfer_predictor* predictor, uint64_t* bytes) {
  return call([&] {
    const std::size_t released = need(predictor, "predictor").predictor.trim();
    if (bytes != nullptr) *bytes = released;
  });
}
