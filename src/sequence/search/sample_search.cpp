#include "sequence/search/sample_search.h"

#include <utility>

namespace mxinfer::api {

SampleSearch::SampleSearch(SearchRules rules, const DrawRules& draw, std::uint64_t seed, int samples)
    : TokenSearch(std::move(rules)),
      draw_(draw),
      seed_(seed),
      samples_(static_cast<std::size_t>(samples)),
      alive_{0} {}

std::vector<Extension> SampleSearch::choose(Span<const double> log_probabilities, std::size_t vocabulary,
                                            int step) {
  // In the first step all samples go on from the one row of the prompt.
  std::vector<std::pair<std::size_t, std::size_t>> rows;  // sample, row
  if (step == 1) {
    for (std::size_t i = 0; i < samples_.size(); ++i) rows.emplace_back(i, 0);
  } else {
    for (std::size_t row = 0; row < alive_.size(); ++row) rows.emplace_back(alive_[row], row);
  }
  std::vector<std::size_t> alive;
  std::vector<Extension> extensions;
  for (const auto& [index, row] : rows) {
    const Span<const double> scores = log_probabilities.subspan(row * vocabulary, vocabulary);
    const double number = draw_number(seed_, index, static_cast<std::uint64_t>(step - 1));
    const std::int32_t token = draw_token(scores, draw_, number);
    Hypothesis& sample = samples_[index];
    sample = extended(sample, token, scores[static_cast<std::size_t>(token)], step);
    sample.score = sample.log_probability;
    if (sample.finish) continue;
    alive.push_back(index);
    extensions.push_back({row, token});
  }
  alive_ = std::move(alive);
  return extensions;
}

}  // namespace mxinfer::api
