#include "ops/text/text_rows.h"

#include <cstring>
#include <mutex>
#include <optional>

#include "base/fail.h"
#include "base/threads/thread_arena.h"
#include "kernels/lookup/lookup.h"

namespace mxinfer::ops {
namespace {

/// Some texts a task: one takes microseconds.
constexpr std::int64_t kTextGrain = 8;

/// The error of the first row that has one.
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

}  // namespace mxinfer::ops
