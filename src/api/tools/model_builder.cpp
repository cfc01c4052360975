#include <mxinfer/predictor.h>
#include <mxinfer/tools/model_builder.h>
#include <mxinfer/vision/image.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "api/core/verify_sample.h"
#include "base/fail.h"
#include "base/files/atomic_file.h"
#include "base/files/file.h"
#include "base/text/strict_json.h"
#include "compose/attach.h"
#include "formats/archive/write_bundle.h"
#include "formats/arrays/write_params.h"
#include "formats/first_bytes.h"
#include "formats/json/sample_json.h"
#include "formats/json/symbol_json.h"
#include "load/load_model.h"
#include "sources/source.h"
#include "tensor/npy.h"

namespace mxinfer {
namespace {

using api::EndToEndModel;

std::vector<Transform> checked(std::vector<Transform> steps) {
  for (const Transform& step : steps) {
    if (step.op.empty()) fail(ErrorCode::invalid_argument, "a step has no name");
  }
  return steps;
}

bool ends_with(const std::string& text, const std::string& ending) {
  return text.size() >= ending.size() &&
         text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
}

Tensor bytes_of(const std::string& path) {
  const std::vector<std::byte> bytes = read_file(path);
  return Tensor::copy_of({DType::uint8, {static_cast<std::int64_t>(bytes.size())}, bytes.data()});
}

// An image as one of a batch, with the channels that the input has.
Tensor image_of(const std::string& path, const DataDesc& input) {
  DecodeOptions options;
  options.color = input.shape.rank() == 0 || input.shape.back() != 1;
  const Image image = read_image(path, options);
  Tensor tensor = Tensor::copy_of(image.view());
  if (input.shape.rank() != 3) tensor.reshape({1, image.height(), image.width(), image.channels()});
  return tensor;
}

Tensor sample_tensor(const std::string& path, const DataDesc& input) {
  if (input.meaning == Meaning::image_path) {
    fail(ErrorCode::invalid_argument, "input '", printable(input.name),
         "' takes a path, which is not valid on other machines: a model that reads files cannot have a "
         "sample");
  }
  if (input.meaning == Meaning::encoded_image) return bytes_of(path);
  if (ends_with(path, ".npy") || formats::begins_like_npy(formats::first_bytes(*sources::open_file(path))))
    return load_npy(path);
  if (input.meaning == Meaning::image) return image_of(path, input);
  fail(ErrorCode::invalid_argument, "input '", printable(to_string(input)),
       "' is not an image; its sample must be "
       "an array, a file that ends in .npy");
}

// A signature file may leave out the version and either list.
Signature read_signature_file(const std::string& path) {
  const auto source = sources::open_file(path);
  return in_context([&] { return printable(path); },
                    [&] {
                      nlohmann::json root = parse_strict_json(sources::read_text(*source));
                      if (!root.is_object())
                        fail(ErrorCode::malformed, "it is not a JSON object; expected {\"inputs\": [...]}");
                      const bool outputs = root.contains("outputs");
                      if (!root.contains("version")) root["version"] = formats::kSignatureVersion;
                      if (!root.contains("inputs")) root["inputs"] = nlohmann::json::array();
                      if (!outputs) root["outputs"] = {{{"name", "output"}}};
                      Signature signature = formats::parse_signature(root.dump()).signature;
                      if (!outputs) signature.outputs.clear();
                      return signature;
                    });
}

}  // namespace

struct ModelBuilder::Impl {
  api::Network network;
  api::AttachRequest request;
  std::string sample_file;                           ///< for the only input
  std::map<std::string, std::string> sample_files;   ///< by input
  std::map<std::string, api::AttachRequest> graphs;  ///< the graphs of bundles besides the model's own

  Impl(api::RawModel raw, const LoadOptions& options) : network(api::make_network(std::move(raw), options)) {}

  bool has_sample() const { return !sample_file.empty() || !sample_files.empty(); }

  const std::string& file_for(const DataDesc& input, std::size_t inputs) const {
    const auto found = sample_files.find(input.name);
    if (found != sample_files.end()) return found->second;
    if (!sample_file.empty() && inputs == 1) return sample_file;
    fail(ErrorCode::invalid_argument, "there is no sample for input '", printable(input.name),
         "'; every input needs one");
  }

  void refuse_unknown_samples(const Signature& signature) const {
    for (const auto& [name, file] : sample_files) {
      bool known = false;
      for (const DataDesc& input : signature.inputs) known = known || input.name == name;
      if (!known)
        fail(ErrorCode::invalid_argument, "there is a sample for '", printable(name),
             "', but the model has no such input");
    }
  }

  Model finish(const EndToEndModel& model, const LoadOptions& options) const {
    return api::ModelAccess::make(api::build_end_to_end(network, model, options));
  }

  EndToEndModel attach() const {
    EndToEndModel model = api::attach(network, request);
    if (has_sample()) in_context([] { return "the sample"; }, [&] { store_sample(model); });
    return model;
  }

  void store_sample(EndToEndModel& model) const {
    const Model built = finish(model, {});
    const Signature& signature = model.signature;
    refuse_unknown_samples(signature);
    std::vector<Tensor> inputs;
    for (const DataDesc& input : signature.inputs) {
      inputs.push_back(sample_tensor(file_for(input, signature.inputs.size()), input));
    }
    const std::vector<TensorView> views(inputs.begin(), inputs.end());
    const std::vector<Tensor> outputs = Predictor(built).predict(Span<const TensorView>(views));
    std::vector<formats::SampleArray> given, answered;
    for (std::size_t i = 0; i < views.size(); ++i) given.push_back({signature.inputs[i].name, views[i]});
    for (std::size_t i = 0; i < outputs.size(); ++i)
      answered.push_back({signature.outputs[i].name, outputs[i]});
    formats::write_sample(model.graph, given, answered);
  }
};

ModelBuilder::ModelBuilder(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ModelBuilder::~ModelBuilder() = default;
ModelBuilder::ModelBuilder(ModelBuilder&&) noexcept = default;
ModelBuilder& ModelBuilder::operator=(ModelBuilder&&) noexcept = default;

ModelBuilder::ModelBuilder(const std::string& network, const LoadOptions& options) try
    : impl_(std::make_unique<Impl>(api::read_model(network, options), options)) {
} catch (...) {
  throw_as_error();
}

ModelBuilder ModelBuilder::from_files(const std::string& symbol_path, const std::string& params_path,
                                      const LoadOptions& options) try {
  return ModelBuilder(std::make_unique<Impl>(api::read_files(symbol_path, params_path, options), options));
} catch (...) {
  throw_as_error();
}

ModelBuilder ModelBuilder::from_memory(ByteSpan symbol_json, ByteSpan params,
                                       const LoadOptions& options) try {
  return ModelBuilder(std::make_unique<Impl>(api::read_memory(symbol_json, params), options));
} catch (...) {
  throw_as_error();
}

ModelBuilder& ModelBuilder::transforms(std::vector<Transform> steps) {
  impl_->request.transforms.all = checked(std::move(steps));
  return *this;
}
ModelBuilder& ModelBuilder::transforms(const std::string& input, std::vector<Transform> steps) {
  impl_->request.transforms.named[input] = checked(std::move(steps));
  impl_->request.transforms.columns.erase(input);
  return *this;
}
ModelBuilder& ModelBuilder::columns(const std::string& input, std::vector<ColumnTransform> columns) try {
  if (columns.empty())
    fail(ErrorCode::invalid_argument, "input '", printable(input), "' is given no columns");
  for (const ColumnTransform& column : columns) (void)checked(column.steps);
  impl_->request.transforms.columns[input] = std::move(columns);
  impl_->request.transforms.named.erase(input);
  return *this;
} catch (...) {
  throw_as_error();
}
ModelBuilder& ModelBuilder::texts(TextTransform text) try {
  for (const Transform& step : text.steps) (void)checked({step});
  api::PreparedText prepared = api::prepare_text(text);
  impl_->request.texts.push_back(std::move(prepared));
  impl_->request.transforms.texts.push_back(std::move(text));
  return *this;
} catch (...) {
  throw_as_error();
}
ModelBuilder& ModelBuilder::set_transforms(const TransformLists& lists) try {
  if (!lists.texts.empty()) {
    impl_->request.transforms.texts.clear();
    impl_->request.texts.clear();
  }
  for (const TextTransform& text : lists.texts) texts(text);
  if (!lists.all.empty()) transforms(lists.all);
  for (const auto& [name, steps] : lists.named) transforms(name, steps);
  for (const auto& [name, list] : lists.columns) columns(name, list);
  return *this;
} catch (...) {
  throw_as_error();
}
ModelBuilder& ModelBuilder::post(std::vector<Transform> steps) {
  impl_->request.post.all = checked(std::move(steps));
  return *this;
}
ModelBuilder& ModelBuilder::post(const std::string& output, std::vector<Transform> steps) {
  impl_->request.post.named[output] = checked(std::move(steps));
  return *this;
}
ModelBuilder& ModelBuilder::set_post(const TransformLists& lists) try {
  if (!lists.all.empty()) post(lists.all);
  for (const auto& [name, steps] : lists.named) post(name, steps);
  // Rejected when they are attached.
  if (!lists.columns.empty()) impl_->request.post.columns = lists.columns;
  if (!lists.texts.empty()) impl_->request.post.texts = lists.texts;
  return *this;
} catch (...) {
  throw_as_error();
}

ModelBuilder& ModelBuilder::signature(Signature signature) {
  impl_->request.signature = std::move(signature);
  return *this;
}
ModelBuilder& ModelBuilder::signature_file(const std::string& path) try {
  return signature(read_signature_file(path));
} catch (...) {
  throw_as_error();
}
ModelBuilder& ModelBuilder::labels(std::vector<std::string> labels) {
  impl_->request.labels = std::move(labels);
  return *this;
}

ModelBuilder& ModelBuilder::sample(const std::string& file) try {
  impl_->sample_file = file;
  return *this;
} catch (...) {
  throw_as_error();
}
ModelBuilder& ModelBuilder::sample(const std::string& input, const std::string& file) try {
  impl_->sample_files[input] = file;
  return *this;
} catch (...) {
  throw_as_error();
}

void ModelBuilder::save(const std::string& prefix) const try {
  if (prefix.empty()) fail(ErrorCode::invalid_argument, "the prefix of the files to write is empty");
  const EndToEndModel model = impl_->attach();
  const std::string text = formats::write_symbol(model.graph);
  // The symbol last, so that a pair without written arrays does not count as a model.
  formats::write_params(prefix + "-0000.params", api::parameters_of(impl_->network, model));
  AtomicFile symbol(prefix + "-symbol.json");
  symbol.write(text.data(), text.size());
  symbol.commit();
} catch (...) {
  throw_as_error();
}

ModelBuilder& ModelBuilder::add_graph(const std::string& name, const TransformLists& transforms,
                                      const TransformLists& post) try {
  formats::check_graph_name(name);
  if (name == formats::kPredictionGraph)
    fail(ErrorCode::invalid_argument, "graph '", name,
         "' is the model's own graph; give the added graph another name");
  api::AttachRequest request;
  request.transforms = transforms;
  request.post = post;
  in_context([&] { return "graph '" + name + "'"; }, [&] { api::prepare_texts(request); });
  if (!impl_->graphs.emplace(name, std::move(request)).second)
    fail(ErrorCode::invalid_argument, "graph '", name, "' was already added");
  return *this;
} catch (...) {
  throw_as_error();
}

void ModelBuilder::save_bundle(const std::string& path) const try {
  formats::BundleToWrite bundle;
  const EndToEndModel own = impl_->attach();
  bundle.graphs[formats::kPredictionGraph] = formats::write_symbol(own.graph);
  auto arrays = api::parameters_of(impl_->network, own);
  for (const auto& [name, added] : impl_->graphs) {
    api::AttachRequest request = added;
    request.labels = impl_->request.labels;
    in_context([&name = name] { return "graph '" + name + "'"; },
               [&, &name = name] {
                 const EndToEndModel other = api::attach(impl_->network, request);
                 bundle.graphs[name] = formats::write_symbol(other.graph);
                 api::add_arrays(other, arrays);
               });
  }
  const auto& given = impl_->request.labels;
  for (const std::string& label : given.empty() ? impl_->network.bare->labels : given)
    bundle.labels += label + "\n";
  const std::vector<std::byte> params =
      arrays.empty() ? std::vector<std::byte>() : formats::write_params(arrays);
  bundle.params = params;
  formats::write_bundle(path, bundle);
} catch (...) {
  throw_as_error();
}

Model ModelBuilder::build(const LoadOptions& options) const try {
  const Model model = impl_->finish(impl_->attach(), options);
  if (options.verify) api::verify_on_load(model);
  return model;
} catch (...) {
  throw_as_error();
}

Signature ModelBuilder::fused_signature() const try {
  return api::attach(impl_->network, impl_->request).signature;
} catch (...) {
  throw_as_error();
}
std::vector<std::string> ModelBuilder::describe() const try {
  return api::attach(impl_->network, impl_->request).lines;
} catch (...) {
  throw_as_error();
}
std::vector<std::string> ModelBuilder::warnings() const try {
  return api::attach(impl_->network, impl_->request).warnings;
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
