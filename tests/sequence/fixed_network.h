// A network that is a formula: the scores of the next token follow from all tokens before it.
//
//   test::FixedNetwork network{5, 7};              // V, seed
//   network.scores({2, 0});                        // 5 logits
//   test::search(*search, network);                // until it ends
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ops/random/random_draws.h"
#include "sequence/search/token_search.h"

namespace mxinfer::test {

struct FixedNetwork {
  std::size_t vocabulary;
  std::uint64_t seed;

  /// Logits of -3 to 3.
  std::vector<float> scores(const std::vector<std::int32_t>& tokens) const {
    std::uint64_t key = seed;
    for (const std::int32_t token : tokens) key = ops::combine_keys(key, static_cast<std::uint64_t>(token));
    ops::RandomDraws draws(key);
    std::vector<float> result;
    for (std::size_t i = 0; i < vocabulary; ++i) result.push_back(draws.uniform(-3.0f, 3.0f));
    return result;
  }
};

/// Runs a search to its end; the tokens of each row are kept as a network keeps its states.
inline std::vector<api::Hypothesis> search(api::TokenSearch& search, const FixedNetwork& network) {
  std::vector<std::vector<std::int32_t>> rows(1);
  while (search.rows() > 0) {
    std::vector<float> scores;
    for (const auto& row : rows) {
      const std::vector<float> of_row = network.scores(row);
      scores.insert(scores.end(), of_row.begin(), of_row.end());
    }
    std::vector<std::vector<std::int32_t>> next;
    for (const auto& [parent, token] : search.advance(Span<const float>(scores), network.vocabulary)) {
      next.push_back(rows.at(parent));
      next.back().push_back(token);
    }
    rows = std::move(next);
  }
  return search.results();
}

}  // namespace mxinfer::test
