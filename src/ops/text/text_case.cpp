// _mxinfer_lower_text and _mxinfer_basic_tokenize: text to text, row by row.
#include <cstring>
#include <mutex>

#include "kernels/lookup/lookup.h"
#include "ops/text/text_rows.h"
#include "text/tokenize/tokenize.h"

namespace mxinfer::ops {
namespace {

/// Some texts a task: one takes microseconds.
constexpr std::int64_t kTextGrain = 8;

class FirstError {
 public:
  void add(std::int64_t row, const Error& error) {
    const std::lock_guard lock(mutex_);
    if (error_ && row_ < row) return;
    row_ = row;
    error_ = error;
  }

  void rethrow(const std::string& node) const {
    if (!error_) return;
    throw Error(error_->code(), concat(node, kTrail, "row ", row_, kTrail, error_->what()));
  }

 private:
  std::mutex mutex_;
  std::int64_t row_ = 0;
  std::optional<Error> error_;
};

/// A character of two bytes becomes one of three, or two of three bytes together.
constexpr std::int64_t kLowerGrowth = 2;
/// A letter of three bytes falls apart into three of three bytes each; a punctuation mark of one byte is
/// followed by a space.
constexpr std::int64_t kTokensGrowth = 3;

std::vector<TensorType> infer_wider(const InferContext& context, std::int64_t growth) {
  const TextRows rows = require_texts(context, 0);
  const auto bytes = checked_mul(rows.bytes, growth);
  if (!bytes) fail(ErrorCode::invalid_argument, "texts of ", rows.bytes, " bytes are too long");
  return {{DType::uint8, {rows.count, *bytes}}};
}

using ChangeText = std::string (*)(std::string_view text);

Step lower_change(LowerContext& context, const char* kernel, ChangeText change) {
  const TextRows rows = text_rows(context.input(0));
  const std::int64_t bytes = context.output(0).shape[1];
  Step step{.kernel = concat(kernel, " [ref]"), .reason = "characters by the tables of Unicode"};
  step.run = [=, node = graph::describe(context.node())](const RunContext& run) {
    for_each_row(node, rows.count, [&](std::int64_t row) {
      write_text_row(change(text_row(rows, run.inputs[0], row)), run.outputs[0], bytes, row);
    });
  };
  return step;
}

std::string basic_lower(std::string_view text) {
  return text::basic_tokenize(text, true);
}
std::string basic_as_is(std::string_view text) {
  return text::basic_tokenize(text, false);
}

OpDef lower_text_op() {
  OpDef op;
  op.name = "_mxinfer_lower_text";
  op.traits.part = ModelPart::column_transforms;
  op.summary =
      "Each row of data in lower case, as Python's str.lower() gives it. data is uint8 (N, bytes): UTF-8, "
      "padded with zero bytes. uint8 (N, 2 bytes).";
  op.infer = [](const InferContext& context) { return infer_wider(context, kLowerGrowth); };
  op.lower = [](LowerContext& context) { return lower_change(context, "lower_text", text::lower); };
  return op;
}

OpDef basic_tokenize_op() {
  OpDef op;
  op.name = "_mxinfer_basic_tokenize";
  op.traits.part = ModelPart::column_transforms;
  op.summary =
      "Splits each row of data, uint8 (N, bytes), as BERT's basic tokenizer does: words, punctuation and CJK "
      "characters without marks, joined by single spaces; with lower, in lower case. uint8 (N, 3 bytes).";
  op.attrs = {flag_attr("lower", true)};
  op.infer = [](const InferContext& context) { return infer_wider(context, kTokensGrowth); };
  op.lower = [](LowerContext& context) {
    return lower_change(context, "basic_tokenize", context.attrs().flag("lower") ? basic_lower : basic_as_is);
  };
  return op;
}

}  // namespace

TextRows text_rows(const TensorType& type) {
  return {type.shape[0], type.shape[1]};
}

TextRows require_texts(const InferContext& context, std::size_t i) {
  if (context.dtype(i) != DType::uint8 || context.shape(i).rank() != 2) {
    fail(ErrorCode::invalid_argument, "input ", i, " is ", to_string(context.inputs[i]),
         "; expected text, uint8 (N, bytes)");
  }
  return text_rows(context.inputs[i]);
}

std::string_view text_row(const TextRows& rows, const void* data, std::int64_t row) {
  const auto bytes = static_cast<std::size_t>(rows.bytes);
  const char* text = static_cast<const char*>(data) + static_cast<std::size_t>(row) * bytes;
  return {text, kernels::text_bytes(text, bytes)};
}

void write_text_row(std::string_view text, void* data, std::int64_t bytes, std::int64_t row) {
  const auto width = static_cast<std::size_t>(bytes);
  if (text.size() > width)
    fail(ErrorCode::internal, "a text of ", text.size(), " bytes came out, where there is room for ", width);
  char* to = static_cast<char*>(data) + static_cast<std::size_t>(row) * width;
  if (!text.empty()) std::memcpy(to, text.data(), text.size());
  if (width > text.size()) std::memset(to + text.size(), 0, width - text.size());
}

void for_each_row(const std::string& node, std::int64_t rows, FunctionRef<void(std::int64_t row)> body) {
  FirstError first;
  parallel_for(rows, kTextGrain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      try {
        body(row);
      } catch (const Error& error) {
        return first.add(row, error);
      }
    }
  });
  first.rethrow(node);
}

std::vector<OpDef> text_case_ops() {
  return {lower_text_op(), basic_tokenize_op()};
}

}  // namespace mxinfer::ops
