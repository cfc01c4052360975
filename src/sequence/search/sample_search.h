// SampleSearch: sequences whose tokens are drawn, each as likely as the network says. Sample i draws its n-th
// token by draw_number(seed, i, n), with n counted from 0, independent of everything else that runs.
#pragma once

#include <cstdint>
#include <vector>

#include "sequence/search/token_search.h"

namespace mxinfer::api {

class SampleSearch : public TokenSearch {
 public:
  SampleSearch(SearchRules rules, const DrawRules& draw, std::uint64_t seed, int samples);
  std::vector<Hypothesis> results() const override { return samples_; }

 protected:
  const Hypothesis& row(std::size_t index) const override { return samples_[alive_[index]]; }
  std::vector<Extension> choose(Span<const double> log_probabilities, std::size_t vocabulary,
                                int step) override;

 private:
  DrawRules draw_;
  std::uint64_t seed_;
  std::vector<Hypothesis> samples_;
  std::vector<std::size_t> alive_;  ///< by row: its sample
};

}  // namespace mxinfer::api
