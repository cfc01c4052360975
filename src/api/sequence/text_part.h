// Encodes texts with a model that takes texts: the part of its graph that makes ids runs separately, and its
// outputs are cut to the length of each text.
#pragma once

#include <mxinfer/predictor.h>
#include <mxinfer/sequence/side.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "api/sequence/text_inputs.h"
#include "load/text_parts.h"

namespace mxinfer::api {

class TextPart final : public TextEncoder {
 public:
  /// `ids` names the network's sequence input; throws Error(malformed) if it is not made of the texts.
  /// `leave_out` names inputs of the network that are filled in elsewhere.
  TextPart(const TextParts& parts, const Options& options, std::string ids,
           std::vector<std::string> leave_out);

  std::vector<TextInputs> encode(Span<const TextItem> items, std::vector<ItemError>& errors) const override;
  TextInputs encode_tokens(Span<const std::string> tokens) const override;
  TextInputs encode_ids(Span<const std::int32_t> ids) const override;
  std::vector<std::int32_t> ids_of(const TextInputs& inputs) const override;

 private:
  void check(const TextItem& item) const;
  void encode_batch(Span<const TextItem> items, Span<const std::size_t> batch, std::size_t width,
                    std::vector<TextInputs>& inputs) const;
  TextInputs row(const std::shared_ptr<const std::vector<Tensor>>& outputs, std::int64_t n) const;

  Predictor predictor_;
  std::size_t inputs_;  ///< 2 for pairs, whose second text may be empty
  std::vector<std::string> names_;
  Side pad_side_;
  std::string ids_;
  std::size_t ids_at_;  ///< which of names_ is ids_
  std::vector<std::string> leave_out_;
  std::vector<DataDesc> network_inputs_;
};

}  // namespace mxinfer::api
