#include "sequence/search/beam_search.h"

#include <limits>
#include <utility>

#include "base/best_of.h"

namespace mxinfer::api {

BeamSearch::BeamSearch(SearchRules rules, const BeamRules& beam)
    : TokenSearch(std::move(rules)), beam_(beam), beams_(1), alive_{0} {}

bool BeamSearch::is_better(const Candidate& a, const Candidate& b) {
  return a.score != b.score ? a.score > b.score : a.order < b.order;
}

std::vector<BeamSearch::Candidate> BeamSearch::best_candidates(Span<const double> log_probabilities,
                                                               std::size_t vocabulary, double penalty) const {
  const auto width = static_cast<std::size_t>(beam_.width);
  BestOf<Candidate, is_better> best(width);
  for (std::size_t row = 0; row < alive_.size(); ++row) {
    const std::size_t beam = alive_[row];
    for (std::size_t token = 0; token < vocabulary; ++token) {
      const double sum = beams_[beam].log_probability + log_probabilities[row * vocabulary + token];
      if (sum == -std::numeric_limits<double>::infinity()) continue;
      best.offer({sum / penalty, beam * vocabulary + token, beam, row, static_cast<std::int32_t>(token)});
    }
  }
  for (std::size_t beam = 0; beam < beams_.size(); ++beam) {
    if (beams_[beam].finish) best.offer({beams_[beam].score, width * vocabulary + beam, beam, 0, -1});
  }
  return best.take();
}

std::vector<Extension> BeamSearch::choose(Span<const double> log_probabilities, std::size_t vocabulary,
                                          int step) {
  const double penalty = length_penalty(beam_.alpha, beam_.k, step);
  std::vector<Hypothesis> beams;
  std::vector<std::size_t> alive;
  std::vector<Extension> extensions;
  for (const Candidate& candidate : best_candidates(log_probabilities, vocabulary, penalty)) {
    const Hypothesis& from = beams_[candidate.beam];
    if (candidate.token < 0) {
      beams.push_back(from);
      continue;
    }
    const std::size_t at = candidate.row * vocabulary + static_cast<std::size_t>(candidate.token);
    beams.push_back(extended(from, candidate.token, log_probabilities[at], step));
    beams.back().score = candidate.score;
    if (beams.back().finish) continue;
    alive.push_back(beams.size() - 1);
    extensions.push_back({candidate.row, candidate.token});
  }
  beams_ = std::move(beams);
  alive_ = std::move(alive);
  return extensions;
}

}  // namespace mxinfer::api
