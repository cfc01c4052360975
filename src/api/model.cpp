#include <mxinfer/model.h>

#include "api/load_model.h"
#include "api/model_data.h"
#include "api/verify_sample.h"
#include "base/fail.h"
#include "formats/labels.h"
#include "sources/source.h"

namespace mxinfer {

namespace {

// A model loaded without its transforms, or for other inputs or outputs, does not compute what the sample
// holds: then it is loaded a second time, as it is in the file.
template <typename Load>
std::shared_ptr<const Model> checked(const LoadOptions& options, const Load& load) {
  std::shared_ptr<const Model> model = load(options);
  if (!options.verify || model->data().sample.empty()) return model;
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

}  // namespace

std::vector<std::string> load_labels(const std::string& path) try {
  return formats::read_labels(*sources::open_file(path));
} catch (...) {
  throw_as_error();
}

Model::Model(std::unique_ptr<const api::ModelData> data) : data_(std::move(data)) {}

Model::~Model() = default;

std::shared_ptr<const Model> Model::load(const std::string& uri, const LoadOptions& options) try {
  return checked(options, [&](const LoadOptions& load) {
    return std::shared_ptr<const Model>(new Model(api::build_model(api::read_model(uri, load), load)));
  });
} catch (...) {
  throw_as_error();
}

std::shared_ptr<const Model> Model::load_files(const std::string& symbol_path, const std::string& params_path,
                                               const LoadOptions& options) try {
  return checked(options, [&](const LoadOptions& load) {
    return std::shared_ptr<const Model>(
        new Model(api::build_model(api::read_files(symbol_path, params_path, load), load)));
  });
} catch (...) {
  throw_as_error();
}

std::shared_ptr<const Model> Model::load_memory(ByteSpan symbol_json, ByteSpan params,
                                                const LoadOptions& options) try {
  return checked(options, [&](const LoadOptions& load) {
    return std::shared_ptr<const Model>(new Model(
        api::build_model(api::read_memory(symbol_json.as<char>(), params.as<std::uint8_t>(), load), load)));
  });
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
