#include "api/sequence/text_part.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "api/core/item_errors.h"
#include "api/sequence/tokenized_texts.h"
#include "base/fail.h"
#include "base/utf8.h"

namespace mxinfer::api {
namespace {

constexpr std::size_t kMostRows = 32;
constexpr std::size_t kMostBatchBytes = std::size_t{4} << 20;

/// Texts are padded to one of a few widths, and batches to a power of two of rows, so that few plans are
/// made.
std::size_t width_of(std::size_t bytes) {
  constexpr std::size_t kStep = 64, kLinear = 1024;
  if (bytes <= kLinear) return std::max<std::size_t>((bytes + kStep - 1) / kStep, 1) * kStep;
  std::size_t width = kLinear;
  while (width < bytes) width *= 2;
  return width;
}

std::size_t padded_rows(std::size_t texts) {
  std::size_t rows = 1;
  while (rows < texts) rows *= 2;
  return rows;
}

std::size_t width_of(const TextItem& item) {
  return width_of(std::max(item.first.size(), item.second ? item.second->size() : 0));
}

/// Positions of the valid items, by width.
std::map<std::size_t, std::vector<std::size_t>> by_width(Span<const TextItem> items,
                                                         const std::vector<bool>& wrong) {
  std::map<std::size_t, std::vector<std::size_t>> found;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!wrong[i]) found[width_of(items[i])].push_back(i);
  }
  return found;
}

/// (rows, width) with zero bytes behind each text; extra rows repeat the first text.
Tensor text_batch(Span<const TextItem> items, Span<const std::size_t> batch, std::size_t width, bool second) {
  const std::size_t rows = padded_rows(batch.size());
  Tensor texts(DType::uint8, {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(width)});
  for (std::size_t n = 0; n < rows; ++n) {
    const TextItem& item = items[batch[n < batch.size() ? n : 0]];
    const std::string_view text = second ? item.second.value_or(std::string_view()) : item.first;
    std::copy(text.begin(), text.end(), texts.data<std::uint8_t>() + n * width);
  }
  return texts;
}

void check_text(const char* which, std::string_view text) {
  const std::size_t size = text.size();
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t bytes = utf8_bytes(rest);
    if (bytes == 0 || rest[0] == '\0') {
      fail(ErrorCode::invalid_argument, which, bytes == 0 ? " is not UTF-8" : " has a zero byte", " at byte ",
           size - rest.size(), bytes == 0 ? ": " + escaped_byte(rest[0]) : std::string());
    }
    rest.remove_prefix(bytes);
  }
}

/// A part of the axis of time, or all of what has no such axis, of one row.
TensorView row_view(const Tensor& output, std::int64_t n, std::int64_t times, std::int64_t from,
                    std::int64_t count) {
  Shape shape = output.shape();
  shape.erase(0);
  const auto bytes = static_cast<std::size_t>(shape.elements()) * size_of(output.dtype());
  const auto* data = static_cast<const std::byte*>(output.raw()) + static_cast<std::size_t>(n) * bytes;
  if (!shape.empty() && shape[0] == times) {
    data += static_cast<std::size_t>(from) * (bytes / static_cast<std::size_t>(times));
    shape[0] = count;
  }
  return {output.dtype(), shape, data};
}

std::size_t position_of(const std::string& ids, const TextParts& parts) {
  const auto& names = parts.text_inputs;
  const auto found = std::find(names.begin(), names.end(), ids);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  std::string listed;
  for (const std::string& name : names) listed += (listed.empty() ? "'" : ", '") + printable(name) + "'";
  fail(ErrorCode::malformed, "the texts of ", printable(parts.network.name()), " become ", listed,
       ", but its sequence is '", printable(ids), "'; expected one of them");
}

/// The part's outputs depend on the file, which may be damaged.
void check_outputs(const std::vector<Tensor>& outputs, const std::vector<std::string>& names, std::size_t ids,
                   std::int64_t rows) {
  const auto refuse = [](const std::string& what, const Tensor& output, const char* expected) {
    fail(ErrorCode::malformed, "the model turns its texts into ", what, " of ", to_string(output.dtype()),
         " ", to_string(output.shape()), "; expected ", expected, " for ", "each text");
  };
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Shape& shape = outputs[i].shape();
    const std::size_t least = i == ids ? 2 : 1;
    if (shape.rank() >= least && shape[0] == rows) continue;
    refuse(concat("'", printable(names[i]), "'"), outputs[i], i == ids ? "a row of ids" : "a row");
  }
  const Tensor& lengths = outputs.back();
  if (lengths.dtype() != DType::int32 || lengths.shape() != Shape{rows})
    refuse("lengths", lengths, "one, int32,");
}

}  // namespace

TextPart::TextPart(const TextParts& parts, const Options& options, std::string ids,
                   std::vector<std::string> leave_out)
    : predictor_(parts.text, options),
      inputs_(predictor_.model().signature().inputs.size()),
      names_(parts.text_inputs),
      pad_side_(parts.pad_side),
      ids_(std::move(ids)),
      ids_at_(position_of(ids_, parts)),
      leave_out_(std::move(leave_out)),
      network_inputs_(parts.network.signature().inputs) {}

void TextPart::check(const TextItem& item) const {
  if (item.second && inputs_ < 2)
    fail(ErrorCode::invalid_argument, "the model takes one text at a time, but was given a pair");
  check_text(item.second ? "the first text" : "the text", item.first);
  if (item.second) check_text("the second text", *item.second);
}

TextInputs TextPart::row(const std::shared_ptr<const std::vector<Tensor>>& outputs, std::int64_t n) const {
  const std::int64_t times = (*outputs)[ids_at_].shape()[1];
  const std::int64_t length = outputs->back().data<std::int32_t>()[n];
  if (length < 1) {
    fail(ErrorCode::invalid_argument, "the text is empty or has no tokens; the network needs at least one");
  }
  if (length > times) {
    fail(ErrorCode::malformed, "the model makes ", length, " ids of a text, but its input '", printable(ids_),
         "' takes ", times, " of them; expected all of them");
  }
  const std::int64_t from = pad_side_ == Side::left ? times - length : 0;
  TextInputs inputs;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (std::find(leave_out_.begin(), leave_out_.end(), names_[i]) == leave_out_.end())
      inputs.views.emplace(names_[i], row_view((*outputs)[i], n, times, from, length));
  }
  inputs.owner = outputs;
  return inputs;
}

void TextPart::encode_batch(Span<const TextItem> items, Span<const std::size_t> batch, std::size_t width,
                            std::vector<TextInputs>& inputs) const {
  std::vector<Tensor> texts;
  texts.push_back(text_batch(items, batch, width, false));
  if (inputs_ == 2) texts.push_back(text_batch(items, batch, width, true));
  const auto outputs = std::make_shared<const std::vector<Tensor>>(predictor_.predict(texts));
  check_outputs(*outputs, names_, ids_at_, texts[0].shape()[0]);
  for (std::size_t n = 0; n < batch.size(); ++n)
    inputs[batch[n]] = row(outputs, static_cast<std::int64_t>(n));
}

// A batch with an invalid text fails as a whole, so its texts then run alone.
std::vector<TextInputs> TextPart::encode(Span<const TextItem> items, std::vector<ItemError>& errors) const {
  std::vector<TextInputs> inputs(items.size());
  std::vector<bool> wrong(items.size());
  const auto attempt = [&](std::size_t item, const auto& body) {
    try {
      body();
    } catch (...) {
      errors.push_back({item, text_error(std::current_exception())});
      wrong[item] = true;
    }
  };
  for (std::size_t i = 0; i < items.size(); ++i) attempt(i, [&] { check(items[i]); });
  for (const auto& [width, positions] : by_width(items, wrong)) {
    const std::size_t most = std::clamp<std::size_t>(kMostBatchBytes / width, 1, kMostRows);
    for (std::size_t at = 0; at < positions.size(); at += most) {
      const Span<const std::size_t> batch(positions.data() + at, std::min(most, positions.size() - at));
      try {
        encode_batch(items, batch, width, inputs);
      } catch (...) {
        (void)text_error(std::current_exception());
        for (const std::size_t i : batch) {
          inputs[i] = {};
          attempt(i, [&, width = width] { encode_batch(items, {&i, 1}, width, inputs); });
        }
      }
    }
  }
  sort_by_item(&errors, 0);
  return inputs;
}

TextInputs TextPart::encode_tokens(Span<const std::string> /*tokens*/) const {
  fail(ErrorCode::unsupported,
       "the model tokenizes texts itself and does not take tokens; give it texts or ids");
}

// Inputs other than the ids are segments, all of the first text.
TextInputs TextPart::encode_ids(Span<const std::int32_t> ids) const {
  auto owner = std::make_shared<std::vector<Tensor>>();
  TextInputs inputs;
  const std::vector<std::int32_t> zeros(ids.size(), 0);
  for (const DataDesc& input : network_inputs_) {
    const bool is_text = std::find(names_.begin(), names_.end(), input.name) != names_.end();
    const bool is_filled = std::find(leave_out_.begin(), leave_out_.end(), input.name) != leave_out_.end();
    if (!is_text || is_filled) continue;
    owner->push_back(
        id_tensor(input, input.name == ids_ ? ids : Span<const std::int32_t>(zeros), std::nullopt));
    inputs.views.emplace(input.name, owner->back().view());
  }
  inputs.owner = std::move(owner);
  return inputs;
}

std::vector<std::int32_t> TextPart::ids_of(const TextInputs& inputs) const {
  return ids_in(inputs.views.at(ids_));
}

}  // namespace mxinfer::api
