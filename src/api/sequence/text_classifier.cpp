#include <mxinfer/sequence/text_classifier.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "api/core/classify_outputs.h"
#include "api/core/item_errors.h"
#include "api/core/predictor_call.h"
#include "api/core/run_images.h"
#include "api/sequence/sequences.h"
#include "api/sequence/text_part.h"
#include "api/sequence/tokenized_texts.h"
#include "base/fail.h"
#include "formats/files/bucket_files.h"
#include "load/text_parts.h"
#include "model/check_inputs.h"
#include "model/model_data.h"

namespace mxinfer {

using api::TextInputs;
using api::TextItem;
using Labels = std::vector<Classification>;

namespace {

/// The most texts that are in memory as ids at a time.
constexpr std::size_t kTextsAtOnce = 512;

formats::FileSequence file_sequence(const Model& network) {
  const auto& file = api::data_of(network).file_signature;
  return file && file->sequence ? *file->sequence : formats::FileSequence{};
}

std::optional<std::int32_t> token_id(const Vocabulary& vocabulary, const char* option,
                                     const std::string& token) {
  if (token.empty()) return std::nullopt;
  const std::optional<std::int32_t> id = vocabulary.find(token);
  if (!id) {
    fail(ErrorCode::invalid_argument, "TextOptions::", option, " is \"", printable(token),
         "\", which is not in the vocabulary; give one of its words");
  }
  return id;
}

// The ids of a network as GluonNLP exports BERT are data0, the segments data1, the lengths data2.
bool is_segment_name(const std::string& name, const std::vector<DataDesc>& inputs) {
  constexpr std::array<std::string_view, 4> kNames = {"token_types", "segment_ids", "token_type_ids",
                                                      "segments"};
  if (std::find(kNames.begin(), kNames.end(), name) != kNames.end()) return true;
  const auto is_second = [](const DataDesc& input) { return input.name == "data2"; };
  return name == "data1" && inputs[0].name == "data0" && std::any_of(inputs.begin(), inputs.end(), is_second);
}

std::optional<DataDesc> segment_input(const Model& network, const TextOptions& options) {
  const std::string stated =
      options.segment_input.empty() ? file_sequence(network).segments : options.segment_input;
  const std::vector<DataDesc>& inputs = network.signature().inputs;
  for (const DataDesc& input : inputs) {
    if (stated.empty() ? is_segment_name(input.name, inputs) : input.name == stated) return input;
  }
  if (stated.empty()) return std::nullopt;
  fail(ErrorCode::invalid_argument, "TextOptions::segment_input is '", printable(stated),
       "', but the network's inputs are ", api::names_of(inputs));
}

void require_no_tokenizer(const TextOptions& options) {
  const char* given = options.tokenizer        ? "tokenizer"
                      : !options.begin.empty() ? "begin"
                      : !options.end.empty()   ? "end"
                                               : nullptr;
  if (given == nullptr) return;
  fail(ErrorCode::invalid_argument, "the model takes texts itself: its file says how they become ids. Leave ",
       "TextOptions::", given, " out, or load the bare network with LoadOptions::load_transforms = false");
}

void require_tokenizer(const Model& model, const TextOptions& options) {
  if (options.tokenizer) return;
  std::string inputs;
  for (const DataDesc& desc : model.signature().inputs)
    inputs += (inputs.empty() ? "" : ", ") + to_string(desc);
  fail(ErrorCode::invalid_argument, "model '", printable(model.name()), "' does not take texts itself, but ",
       printable(inputs),
       "; if these are the ids of words, give the tokenizer of its network in TextOptions::tokenizer");
}

std::vector<TextItem> items_of(Span<const std::string> texts) {
  std::vector<TextItem> items;
  for (const std::string& text : texts) items.push_back({text});
  return items;
}

}  // namespace

/// What the base is made of.
struct __attribute__((visibility("hidden"))) TextClassifier::Start {
  Start(const Model& model, const TextOptions& options) : parts(api::text_parts(model)), network(model) {
    if (parts) {
      require_no_tokenizer(options);
      network = parts->network;
    } else {
      require_tokenizer(network, options);
    }
    find_padding(options);
  }
  Start(const BucketedModel& model, const TextOptions& options) : buckets(model), network(model.largest()) {
    require_tokenizer(network, options);
    find_padding(options);
  }
  SequencePredictor predictor() const {
    return buckets ? SequencePredictor(*buckets, sequence) : SequencePredictor(network, sequence);
  }

  std::optional<api::TextParts> parts{};
  std::optional<BucketedModel> buckets{};
  Model network;
  SequenceOptions sequence{};

 private:
  void find_padding(const TextOptions& options) {
    sequence = options.sequence;
    sequence.cut_outputs = false;  // classes may be as many as a bucket is long
    const bool is_open = !sequence.pad_value && !file_sequence(network).pad_value;
    const std::optional<std::int32_t> padding =
        options.tokenizer ? options.tokenizer->vocabulary().padding_id() : std::nullopt;
    if (is_open && padding) sequence.pad_value = *padding;
  }
};

struct __attribute__((visibility("hidden"))) TextClassifier::Texts {
  Activation activation = Activation::none;
  std::optional<float> min_score;
  std::unique_ptr<const api::TextEncoder> encoder;

  Labels rank(const Model& model, std::vector<Tensor> outputs, std::optional<int> top_k) const;
  Labels classify(const SequencePredictor& predictor, const TextInputs& inputs,
                  std::optional<int> top_k) const;
  Labels classify(const SequencePredictor& predictor, const TextItem& item, std::optional<int> top_k) const;
  void classify_some(const SequencePredictor& predictor, Span<const TextItem> items, std::optional<int> top_k,
                     Span<Labels> classes, std::vector<ItemError>& errors) const;
  std::vector<Labels> classify_all(const SequencePredictor& predictor, Span<const TextItem> items,
                                   std::optional<int> top_k, std::vector<ItemError>* errors) const;
  TextInputs encode(const TextItem& item) const;
};

TextInputs TextClassifier::Texts::encode(const TextItem& item) const {
  std::vector<ItemError> errors;
  std::vector<TextInputs> inputs = encoder->encode({&item, 1}, errors);
  if (!errors.empty()) throw Error(errors[0].error);
  return std::move(inputs[0]);
}

// Outputs come without a batch.
Labels TextClassifier::Texts::rank(const Model& model, std::vector<Tensor> outputs,
                                   std::optional<int> top_k) const {
  for (Tensor& output : outputs) {
    Shape shape = output.shape();
    shape.insert(0, 1);
    output.reshape(shape);
  }
  return std::move(api::classify_outputs(model, outputs, {top_k, activation, min_score})[0]);
}

Labels TextClassifier::Texts::classify(const SequencePredictor& predictor, const TextInputs& inputs,
                                       std::optional<int> top_k) const {
  const NamedViews<TensorView> views(inputs.views);
  return rank(predictor.model(), std::move(predictor.predict_sequences({&views, 1})[0]), top_k);
}

Labels TextClassifier::Texts::classify(const SequencePredictor& predictor, const TextItem& item,
                                       std::optional<int> top_k) const {
  api::check_top_k(top_k);
  return api::as_call(predictor, [&] { return classify(predictor, encode(item), top_k); });
}

/// Errors have the positions in `items`, in order. Precondition: `errors` is empty.
void TextClassifier::Texts::classify_some(const SequencePredictor& predictor, Span<const TextItem> items,
                                          std::optional<int> top_k, Span<Labels> classes,
                                          std::vector<ItemError>& errors) const {
  const std::vector<TextInputs> inputs = encoder->encode(items, errors);
  std::vector<NamedViews<TensorView>> views;
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].empty()) continue;
    views.emplace_back(inputs[i].views);
    positions.push_back(i);
  }
  const std::size_t known = errors.size();
  std::vector<std::vector<Tensor>> outputs = predictor.predict_sequences(views, &errors);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].empty()) classes[positions[i]] = rank(predictor.model(), std::move(outputs[i]), top_k);
  }
  api::renumber(errors, 0, known, positions);
}

std::vector<Labels> TextClassifier::Texts::classify_all(const SequencePredictor& predictor,
                                                        Span<const TextItem> items, std::optional<int> top_k,
                                                        std::vector<ItemError>* errors) const {
  api::check_top_k(top_k);
  std::vector<Labels> classes(items.size());
  api::as_call(predictor, [&] {
    for (std::size_t at = 0; at < items.size(); at += kTextsAtOnce) {
      const std::size_t count = std::min(kTextsAtOnce, items.size() - at);
      std::vector<ItemError> wrong;
      classify_some(predictor, items.subspan(at, count), top_k, {classes.data() + at, count}, wrong);
      if (errors == nullptr && !wrong.empty()) {
        in_context([&] { return concat("text ", at + wrong[0].item); }, [&] { throw Error(wrong[0].error); });
      }
      for (const ItemError& error : wrong) errors->push_back({at + error.item, error.error});
    }
  });
  return classes;
}

TextClassifier::TextClassifier(const Model& model, const TextOptions& options) try
    : TextClassifier(Start(model, options), options) {
} catch (...) {
  throw_as_error();
}

TextClassifier::TextClassifier(const BucketedModel& model, const TextOptions& options) try
    : TextClassifier(Start(model, options), options) {
} catch (...) {
  throw_as_error();
}

TextClassifier::TextClassifier(const std::string& uri, const TextOptions& options,
                               const LoadOptions& load) try
    : TextClassifier(formats::find_buckets(uri, load.epoch)
                         ? TextClassifier(BucketedModel::load(uri, load), options)
                         : TextClassifier(Model::load(uri, load), options)) {
} catch (...) {
  throw_as_error();
}

TextClassifier::TextClassifier(const Start& start, const TextOptions& options)
    : SequencePredictor(start.predictor()) {
  api::check_labels(model());
  api::check_activation(model(), options.activation);
  const api::SequenceLayout& layout = api::SequenceAccess::sequences(*this).layout;
  const api::SequenceInput& sequence = layout.inputs[layout.sequence];
  auto texts = std::make_shared<Texts>();
  texts->activation = options.activation;
  texts->min_score = options.min_score;
  if (start.parts) {
    std::vector<std::string> filled;
    if (layout.length) filled.push_back(layout.inputs[*layout.length].name);
    Options on_cpu = options.sequence.options;
    on_cpu.device.clear();  // tokenizes texts; no matrix products
    texts->encoder = std::make_unique<api::TextPart>(*start.parts, on_cpu, sequence.name, std::move(filled));
  } else {
    const Vocabulary& vocabulary = options.tokenizer->vocabulary();
    api::TextFrame frame;
    frame.begin = token_id(vocabulary, "begin", options.begin);
    frame.end = token_id(vocabulary, "end", options.end);
    const api::Padding& padding = api::SequenceAccess::sequences(*this).padding;
    if (padding.too_long == TooLong::truncate && !buckets().empty())
      frame.most = static_cast<std::size_t>(buckets().back());
    frame.truncate_side = padding.truncate_side;
    const DataDesc ids = model().signature().inputs[layout.sequence];
    texts->encoder = std::make_unique<api::TokenizedTexts>(
        *options.tokenizer, frame, api::TextPorts{ids, segment_input(model(), options), sequence.rows},
        api::batch_runner(*this));
  }
  texts_ = std::move(texts);
}

TextClassifier::TextClassifier(const TextClassifier&) noexcept = default;
TextClassifier& TextClassifier::operator=(const TextClassifier&) noexcept = default;
TextClassifier::~TextClassifier() = default;

Labels TextClassifier::classify(std::string_view text, std::optional<int> top_k) const try {
  return texts_->classify(*this, TextItem{text}, top_k);
} catch (...) {
  throw_as_error();
}

Labels TextClassifier::classify_pair(std::string_view first, std::string_view second,
                                     std::optional<int> top_k) const try {
  return texts_->classify(*this, TextItem{first, second}, top_k);
} catch (...) {
  throw_as_error();
}

Labels TextClassifier::classify_tokens(Span<const std::string> tokens, std::optional<int> top_k) const try {
  api::check_top_k(top_k);
  return api::as_call(*this,
                      [&] { return texts_->classify(*this, texts_->encoder->encode_tokens(tokens), top_k); });
} catch (...) {
  throw_as_error();
}

Labels TextClassifier::classify_ids(Span<const std::int32_t> ids, std::optional<int> top_k) const try {
  api::check_top_k(top_k);
  return api::as_call(*this,
                      [&] { return texts_->classify(*this, texts_->encoder->encode_ids(ids), top_k); });
} catch (...) {
  throw_as_error();
}

std::vector<Labels> TextClassifier::classify_texts(Span<const std::string> texts, std::optional<int> top_k,
                                                   std::vector<ItemError>* errors) const try {
  return texts_->classify_all(*this, items_of(texts), top_k, errors);
} catch (...) {
  throw_as_error();
}

std::vector<Labels> TextClassifier::classify_pairs(Span<const std::pair<std::string, std::string>> pairs,
                                                   std::optional<int> top_k,
                                                   std::vector<ItemError>* errors) const try {
  std::vector<TextItem> items;
  for (const auto& [first, second] : pairs) items.push_back({first, second});
  return texts_->classify_all(*this, items, top_k, errors);
} catch (...) {
  throw_as_error();
}

std::vector<std::int32_t> TextClassifier::ids(std::string_view text) const try {
  return api::as_call(*this, [&] { return texts_->encoder->ids_of(texts_->encode({text})); });
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
