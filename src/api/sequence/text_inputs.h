// Turns each text into the network's inputs, by name.
//
//   std::vector<ItemError> errors;
//   std::vector<TextInputs> inputs = encoder->encode(items, errors);   // side by side
//   predictor.predict_sequences(views_of(inputs), ...);
#pragma once

#include <mxinfer/item_error.h>
#include <mxinfer/tensor.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fail.h"

namespace mxinfer::api {

/// A text, or a pair of them. Both point into memory of the caller.
struct TextItem {
  std::string_view first;
  std::optional<std::string_view> second{};
};

/// Inputs of the network, without batch and padding; an axis of time comes first.
struct TextInputs {
  std::map<std::string, TensorView> views{};
  std::shared_ptr<const std::vector<Tensor>> owner{};  ///< owns the views' data

  [[nodiscard]] bool empty() const { return views.empty(); }
};

class TextEncoder {
 public:
  TextEncoder() = default;
  TextEncoder(const TextEncoder&) = delete;
  TextEncoder& operator=(const TextEncoder&) = delete;
  virtual ~TextEncoder() = default;

  /// One for each item, in order. Invalid ones are empty and reported, in order.
  [[nodiscard]] virtual std::vector<TextInputs> encode(Span<const TextItem> items,
                                                       std::vector<ItemError>& errors) const = 0;
  /// For a tokenized text. Throws Error(invalid_argument) if tokens cannot be converted to ids.
  [[nodiscard]] virtual TextInputs encode_tokens(Span<const std::string> tokens) const = 0;
  /// For the network's ids.
  [[nodiscard]] virtual TextInputs encode_ids(Span<const std::int32_t> ids) const = 0;
  /// The ids in a result of encode().
  [[nodiscard]] virtual std::vector<std::int32_t> ids_of(const TextInputs& inputs) const = 0;
};

/// Converts an exception caused by one text to its error; rethrows others.
inline Error text_error(const std::exception_ptr& thrown) {
  Error error = as_error(thrown);
  const ErrorCode code = error.code();
  if (code != ErrorCode::invalid_argument && code != ErrorCode::malformed && code != ErrorCode::unsupported)
    std::rethrow_exception(thrown);
  return error;
}

}  // namespace mxinfer::api
