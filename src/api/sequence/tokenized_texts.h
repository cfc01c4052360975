// Encodes texts for a bare network: a Tokenizer, and the conversion of ids to the dtypes of the network's
// inputs.
#pragma once

#include <mxinfer/predictor.h>
#include <mxinfer/sequence/tokenizer.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/sequence/text_frame.h"
#include "api/sequence/text_inputs.h"
#include "runtime/batch_runner.h"

namespace mxinfer::api {

/// The inputs of a network that texts go into.
struct TextPorts {
  DataDesc ids{};
  std::optional<DataDesc> segments{};
  std::optional<std::int64_t> rows{};  ///< of the Embedding that looks the ids up
};

class TokenizedTexts final : public TextEncoder {
 public:
  /// Throws Error(invalid_argument) if there is no vocabulary, or if it has ids without a row in the network.
  TokenizedTexts(const Tokenizer& tokenizer, TextFrame frame, TextPorts ports, runtime::BatchRunner runner);

  std::vector<TextInputs> encode(Span<const TextItem> items, std::vector<ItemError>& errors) const override;
  TextInputs encode_tokens(Span<const std::string> tokens) const override;
  TextInputs encode_ids(Span<const std::int32_t> ids) const override;
  std::vector<std::int32_t> ids_of(const TextInputs& inputs) const override;

 private:
  TextInputs encode_one(const TextItem& item) const;
  TextInputs inputs_of(const FramedIds& framed) const;

  Tokenizer tokenizer_;
  TextFrame frame_;
  TextPorts ports_;
  mutable runtime::BatchRunner runner_;
};

/// Ids as an input: (length) of its dtype. Throws Error(invalid_argument) for ids without a row, or that its
/// dtype cannot hold.
Tensor id_tensor(const DataDesc& input, Span<const std::int32_t> ids, std::optional<std::int64_t> rows);
/// And back.
std::vector<std::int32_t> ids_in(const TensorView& tensor);

}  // namespace mxinfer::api
