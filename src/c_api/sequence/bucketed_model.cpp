#include <mxinfer_c/bucketed_model.h>

#include <utility>
#include <vector>

#include "c_api/call.h"
#include "c_api/sequence/handles.h"
#include "c_api/structs.h"

using namespace mxinfer;
using namespace mxinfer::c_api;

mxinfer_status mxinfer_bucketed_model_load(const char* uri, const mxinfer_options* options,
                                           mxinfer_bucketed_model** out) {
  return give(out, [&] {
    return new mxinfer_bucketed_model{
        BucketedModel::load(need_text(uri, "uri"), settings_of(options).load_options())};
  });
}

mxinfer_status mxinfer_bucketed_model_create(const int64_t* keys, const mxinfer_model* const* models,
                                             size_t count, mxinfer_bucketed_model** out) {
  return give(out, [&] {
    std::vector<std::pair<std::int64_t, Model>> buckets;
    if (count > 0) {
      need(keys, "keys");
      need(models, "models");
    }
    for (std::size_t i = 0; i < count; ++i)
      buckets.emplace_back(keys[i], need(models[i], "model of a list").model);
    return new mxinfer_bucketed_model{BucketedModel(std::move(buckets))};
  });
}

void mxinfer_bucketed_model_free(mxinfer_bucketed_model* model) {
  delete model;
}

const int64_t* mxinfer_bucketed_model_keys(const mxinfer_bucketed_model* model, size_t* count) {
  if (count != nullptr) *count = model == nullptr ? 0 : model->model.keys().size();
  return model == nullptr ? nullptr : model->model.keys().data();
}

mxinfer_status mxinfer_bucketed_model_model(const mxinfer_bucketed_model* model, int64_t key,
                                            mxinfer_model** out) {
  return give(out, [&] { return new mxinfer_model(need(model, "model").model.model(key)); });
}

mxinfer_status mxinfer_bucketed_model_largest(const mxinfer_bucketed_model* model, mxinfer_model** out) {
  return give(out, [&] { return new mxinfer_model(need(model, "model").model.largest()); });
}

const char* mxinfer_bucketed_model_name(const mxinfer_bucketed_model* model) {
  return model == nullptr ? "" : model->model.name().c_str();
}

mxinfer_status mxinfer_bucketed_model_memory(const mxinfer_bucketed_model* model, mxinfer_memory* memory) {
  return call([&] {
    const ModelMemory m = need(model, "model").model.memory();
    write_struct(need(memory, "memory"), {0, m.stored_weights, m.packed_weights, 0, 0, 0});
  });
}
