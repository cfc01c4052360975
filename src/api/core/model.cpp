#include <mxinfer/model.h>

#include "api/core/model_memory.h"
#include "api/core/verify_sample.h"
#include "base/fail.h"
#include "base/log.h"
#include "base/stopwatch.h"
#include "formats/files/labels.h"
#include "load/load_archive.h"
#include "load/load_model.h"
#include "model/model_data.h"
#include "sources/opener.h"
#include "sources/source.h"

namespace mxinfer {

namespace {

// A model loaded without its transforms, or with other inputs or outputs, does not compute the sample's
// outputs, so it is loaded a second time, as in the file.
template <typename Load>
Model checked(const LoadOptions& options, const Load& load) {
  Model model = load(options);
  if (!options.verify || api::data_of(model).sample.empty()) return model;
  if (options.load_transforms && options.inputs.empty() && options.outputs.empty()) {
    api::verify_on_load(model);
    return model;
  }
  LoadOptions whole = options;
  whole.load_transforms = true;
  whole.inputs.clear();
  whole.outputs.clear();
  api::verify_on_load(load(whole));
  return model;
}

// read(options) returns an api::RawModel.
template <typename Read>
Model load_by(const LoadOptions& options, const Read& read) {
  const Stopwatch watch;
  Model model = checked(options, [&](const LoadOptions& load) {
    return api::ModelAccess::make(api::build_model(read(load), load));
  });
  log_message(LogLevel::info, "model '", printable(model.name()), "': loaded in ", watch.milliseconds(),
              " ms");
  for (const std::string& warning : model.warnings())
    log_message(LogLevel::warning, "model '", printable(model.name()), "': ", warning);
  return model;
}

}  // namespace

std::vector<std::string> MXINFER_ABI::load_labels(const std::string& path) try {
  return load_labels(path, {});
} catch (...) {
  throw_as_error();
}

std::vector<std::string> MXINFER_ABI::load_labels(const std::string& path, const LoadOptions& options) try {
  return formats::read_labels(*sources::Opener(options).open_existing(path));
} catch (...) {
  throw_as_error();
}

Model::Model(std::shared_ptr<const api::ModelData> data) noexcept : data_(std::move(data)) {}
Model::Model(const Model&) noexcept = default;
Model& Model::operator=(const Model&) noexcept = default;
Model::~Model() = default;

Model Model::load(const std::string& uri, const LoadOptions& options) try {
  return load_by(options, [&](const LoadOptions& load) { return api::read_model(uri, load); });
} catch (...) {
  throw_as_error();
}

Model Model::load(const ModelSources& sources, const LoadOptions& options) try {
  return load_by(options, [&](const LoadOptions& load) { return api::read_sources(sources, load); });
} catch (...) {
  throw_as_error();
}

Model Model::load_files(const std::string& symbol_path, const std::string& params_path,
                        const LoadOptions& options) try {
  return load_by(options,
                 [&](const LoadOptions& load) { return api::read_files(symbol_path, params_path, load); });
} catch (...) {
  throw_as_error();
}

Model Model::load_memory(ByteSpan symbol_json, ByteSpan params, const LoadOptions& options) try {
  return load_by(options, [&](const LoadOptions&) { return api::read_memory(symbol_json, params); });
} catch (...) {
  throw_as_error();
}

Model Model::load_archive(ByteSpan archive, const LoadOptions& options) try {
  return load_by(options, [&](const LoadOptions& load) {
    return api::read_archive(sources::from_memory(archive.as<std::byte>(), "(memory)"), load);
  });
} catch (...) {
  throw_as_error();
}

ModelMemory Model::memory() const try {
  api::MemoryCount count;
  count.add(*data_);
  return count.memory();
} catch (...) {
  throw_as_error();
}

const std::string& Model::name() const noexcept {
  return data_->name;
}
const Signature& Model::signature() const noexcept {
  return data_->signature;
}
const std::vector<std::string>& Model::labels() const noexcept {
  return data_->labels;
}
const std::vector<std::string>& Model::warnings() const noexcept {
  return data_->warnings;
}

}  // namespace mxinfer
