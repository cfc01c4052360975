// BeamSearch: keeps in each step the best of all sequences extended by one token and of the ended ones.
//
// As gluonnlp.model.BeamSearchSampler with a BeamSearchScorer: a sequence that ends keeps its score and its
// place among the `width`; the search ends when all of them have ended, or at the largest length. Here the
// order of equal scores is fixed: live sequences before ended ones, then by the rank of the parent, then by
// token.
#pragma once

#include <vector>

#include "sequence/search/token_search.h"

namespace mxinfer::api {

struct BeamRules {
  int width = 1;  ///< at least 1; 1 is a greedy search
  double alpha = 1;
  double k = 5;
};

class BeamSearch : public TokenSearch {
 public:
  BeamSearch(SearchRules rules, const BeamRules& beam);
  std::vector<Hypothesis> results() const override { return beams_; }

 protected:
  const Hypothesis& row(std::size_t index) const override { return beams_[alive_[index]]; }
  std::vector<Extension> choose(Span<const double> log_probabilities, std::size_t vocabulary,
                                int step) override;

 private:
  struct Candidate {
    double score;
    std::size_t order;  ///< among equal scores
    std::size_t beam;
    std::size_t row;     ///< of its scores; unused if it has ended
    std::int32_t token;  ///< -1: it has ended
  };
  static bool is_better(const Candidate& a, const Candidate& b);
  std::vector<Candidate> best_candidates(Span<const double> log_probabilities, std::size_t vocabulary,
                                         double penalty) const;

  BeamRules beam_;
  std::vector<Hypothesis> beams_;   ///< best first
  std::vector<std::size_t> alive_;  ///< by row: its place in beams_
};

}  // namespace mxinfer::api
