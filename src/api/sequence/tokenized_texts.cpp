#include "api/sequence/tokenized_texts.h"

#include <utility>

#include "base/fail.h"
#include "tensor/read_element.h"
#include "tensor/write_element.h"

namespace mxinfer::api {
namespace {

void require_known_ids(const Vocabulary& vocabulary, const TextPorts& ports) {
  if (vocabulary.empty()) {
    fail(ErrorCode::invalid_argument,
         "the tokenizer has no vocabulary, which gives tokens their ids; create it with one");
  }
  const auto size = static_cast<std::int64_t>(vocabulary.size());
  if (!ports.rows || size <= *ports.rows) return;
  fail(ErrorCode::invalid_argument, "the vocabulary has ", size, " words, but the network's Embedding of '",
       printable(ports.ids.name), "' has ", *ports.rows,
       " rows; give the vocabulary that the network was trained with");
}

}  // namespace

Tensor id_tensor(const DataDesc& input, Span<const std::int32_t> ids, std::optional<std::int64_t> rows) {
  if (ids.empty()) fail(ErrorCode::invalid_argument, "no ids were given; the network needs at least one");
  Tensor tensor = Tensor::uninitialized(input.dtype, {static_cast<std::int64_t>(ids.size())});
  const ElementWriter write = element_writer(input.dtype);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (rows && (ids[i] < 0 || ids[i] >= *rows)) {
      fail(ErrorCode::invalid_argument, "the id at position ", i, " is ", ids[i],
           ", but the network's Embedding of '", printable(input.name), "' has ", *rows, " rows; give 0 to ",
           *rows - 1);
    }
    if (!holds(input.dtype, ids[i])) {
      fail(ErrorCode::invalid_argument, "the id at position ", i, " is ", ids[i], ", which ",
           to_string(input.dtype), ", the dtype of input '", printable(input.name), "', cannot hold");
    }
    write(tensor.raw(), static_cast<std::int64_t>(i), ids[i]);
  }
  return tensor;
}

std::vector<std::int32_t> ids_in(const TensorView& tensor) {
  if (tensor.shape().rank() != 1) {
    fail(ErrorCode::unsupported, "the model makes ", to_string(tensor.shape()),
         " of a text, which are vectors, not ids");
  }
  const ElementReader read = element_reader(tensor.dtype());
  std::vector<std::int32_t> ids;
  for (std::int64_t i = 0; i < tensor.shape()[0]; ++i)
    ids.push_back(static_cast<std::int32_t>(read(tensor.raw(), i)));
  return ids;
}

TokenizedTexts::TokenizedTexts(const Tokenizer& tokenizer, TextFrame frame, TextPorts ports,
                               runtime::BatchRunner runner)
    : tokenizer_(tokenizer), frame_(frame), ports_(std::move(ports)), runner_(runner) {
  require_known_ids(tokenizer_.vocabulary(), ports_);
}

TextInputs TokenizedTexts::inputs_of(const FramedIds& framed) const {
  auto owner = std::make_shared<std::vector<Tensor>>();
  owner->push_back(id_tensor(ports_.ids, framed.ids, ports_.rows));
  if (ports_.segments) owner->push_back(id_tensor(*ports_.segments, framed.segments, std::nullopt));
  TextInputs inputs;
  inputs.views.emplace(ports_.ids.name, (*owner)[0].view());
  if (ports_.segments) inputs.views.emplace(ports_.segments->name, (*owner)[1].view());
  inputs.owner = std::move(owner);
  return inputs;
}

TextInputs TokenizedTexts::encode_one(const TextItem& item) const {
  const auto ids_of_text = [&](const char* which, std::string_view text) {
    if (!item.second) return tokenizer_.ids(text);
    return in_context([&] { return std::string(which); }, [&] { return tokenizer_.ids(text); });
  };
  const std::vector<std::int32_t> first = ids_of_text("first text", item.first);
  if (!item.second) return inputs_of(frame_.around(first, nullptr));
  const std::vector<std::int32_t> second = ids_of_text("second text", *item.second);
  return inputs_of(frame_.around(first, &second));
}

std::vector<TextInputs> TokenizedTexts::encode(Span<const TextItem> items,
                                               std::vector<ItemError>& errors) const {
  std::vector<TextInputs> inputs(items.size());
  const auto thrown =
      runner_.try_each(items.size(), [&](std::size_t i) { inputs[i] = encode_one(items[i]); });
  for (std::size_t i = 0; i < thrown.size(); ++i) {
    if (thrown[i]) errors.push_back({i, text_error(thrown[i])});
  }
  return inputs;
}

TextInputs TokenizedTexts::encode_tokens(Span<const std::string> tokens) const {
  return inputs_of(frame_.around(tokenizer_.vocabulary().ids(tokens), nullptr));
}

TextInputs TokenizedTexts::encode_ids(Span<const std::int32_t> ids) const {
  return inputs_of({{ids.begin(), ids.end()}, std::vector<std::int32_t>(ids.size(), 0)});
}

std::vector<std::int32_t> TokenizedTexts::ids_of(const TextInputs& inputs) const {
  return ids_in(inputs.views.at(ports_.ids.name));
}

}  // namespace mxinfer::api
