#include <mxinfer_c/model.h>

#include "c_api/call.h"
#include "c_api/handles.h"
#include "c_api/source.h"

using namespace mxinfer;
using namespace mxinfer::c_api;

namespace {

const char* line_of(const std::vector<std::string>& lines, std::size_t index) {
  return index < lines.size() ? lines[index].c_str() : nullptr;
}

}  // namespace

mxinfer_status mxinfer_model_load(const char* uri, const mxinfer_options* options, mxinfer_model** out) {
  return call([&] {
    mxinfer_model*& model = need(out, "out");
    model = new mxinfer_model(Model::load(need_text(uri, "uri"), settings_of(options).load_options()));
  });
}

mxinfer_status mxinfer_model_load_files(const char* symbol, const char* params,
                                        const mxinfer_options* options, mxinfer_model** out) {
  return call([&] {
    mxinfer_model*& model = need(out, "out");
    model = new mxinfer_model(Model::load_files(need_text(symbol, "symbol"), params != nullptr ? params : "",
                                                settings_of(options).load_options()));
  });
}

mxinfer_status mxinfer_model_load_memory(const void* symbol_json, size_t symbol_bytes, const void* params,
                                         size_t params_bytes, const mxinfer_options* options,
                                         mxinfer_model** out) {
  return call([&] {
    mxinfer_model*& model = need(out, "out");
    model = new mxinfer_model(Model::load_memory(need_bytes(symbol_json, symbol_bytes, "symbol_json"),
                                                 need_bytes(params, params_bytes, "params"),
                                                 settings_of(options).load_options()));
  });
}

mxinfer_status mxinfer_model_load_archive(const void* archive, size_t bytes, const mxinfer_options* options,
                                          mxinfer_model** out) {
  return call([&] {
    mxinfer_model*& model = need(out, "out");
    model = new mxinfer_model(
        Model::load_archive(need_bytes(archive, bytes, "archive"), settings_of(options).load_options()));
  });
}

mxinfer_status mxinfer_model_load_sources(const mxinfer_source* symbol, const mxinfer_source* params,
                                          const mxinfer_source* labels, const char* name,
                                          const mxinfer_options* options, mxinfer_model** out) {
  return call([&] {
    // Takes all of them first, so that each is released on any error.
    ModelSources sources{source_of(symbol), source_of(params), source_of(labels)};
    mxinfer_model*& model = need(out, "out");
    if (sources.symbol == nullptr) throw NullArgument{"symbol"};
    if (name != nullptr) sources.name = name;
    model = new mxinfer_model(Model::load(sources, settings_of(options).load_options()));
  });
}

const char* mxinfer_model_name(const mxinfer_model* model) {
  return model == nullptr ? "" : model->model.name().c_str();
}

const mxinfer_descs* mxinfer_model_inputs(const mxinfer_model* model) {
  return model == nullptr ? nullptr : &model->inputs;
}

const mxinfer_descs* mxinfer_model_outputs(const mxinfer_model* model) {
  return model == nullptr ? nullptr : &model->outputs;
}

size_t mxinfer_model_label_count(const mxinfer_model* model) {
  return model == nullptr ? 0 : model->model.labels().size();
}

const char* mxinfer_model_label(const mxinfer_model* model, size_t index) {
  return model == nullptr ? nullptr : line_of(model->model.labels(), index);
}

size_t mxinfer_model_warning_count(const mxinfer_model* model) {
  return model == nullptr ? 0 : model->model.warnings().size();
}

const char* mxinfer_model_warning(const mxinfer_model* model, size_t index) {
  return model == nullptr ? nullptr : line_of(model->model.warnings(), index);
}

void mxinfer_model_free(mxinfer_model* model) {
  delete model;
}
