// The data of a SequenceGenerator.
#pragma once

#include <mxinfer/sequence/generator.h>

#include <string>
#include <string_view>
#include <vector>

#include "api/generation/generator_graph.h"
#include "sequence/search/token_search.h"

namespace mxinfer {

struct __attribute__((visibility("hidden"))) SequenceGenerator::Decoder {
  GeneratorOptions options;  ///< with what was found
  api::GeneratorGraph graph;

  std::vector<std::int32_t> ids(std::string_view text) const;
  std::string text(Span<const std::int32_t> ids) const;
  bool has_text() const { return options.tokenizer || !options.vocabulary.empty(); }
  /// Prepends the begin id. Throws Error(invalid_argument) if the result is empty.
  std::vector<std::int32_t> prompt(Span<const std::int32_t> ids) const;
  Generated generated(const api::Hypothesis& sequence) const;
};

}  // namespace mxinfer
