#include <mxinfer/model.h>

#include "api/load_model.h"
#include "api/model_data.h"
#include "formats/labels.h"
#include "sources/source.h"

namespace mxinfer {

std::vector<std::string> load_labels(const std::string& path) {
  return formats::read_labels(*sources::open_file(path));
}

Model::Model(std::unique_ptr<const api::ModelData> data) : data_(std::move(data)) {}

Model::~Model() = default;

std::shared_ptr<const Model> Model::load(const std::string& uri, const LoadOptions& options) {
  return std::shared_ptr<const Model>(new Model(api::build_model(api::read_model(uri, options), options)));
}

std::shared_ptr<const Model> Model::load_files(const std::string& symbol_path, const std::string& params_path,
                                               const LoadOptions& options) {
  return std::shared_ptr<const Model>(
      new Model(api::build_model(api::read_files(symbol_path, params_path, options), options)));
}

std::shared_ptr<const Model> Model::load_memory(Span<const char> symbol_json, Span<const std::uint8_t> params,
                                                const LoadOptions& options) {
  return std::shared_ptr<const Model>(
      new Model(api::build_model(api::read_memory(symbol_json, params, options), options)));
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
