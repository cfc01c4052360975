#include "sequence/search/token_search.h"

#include <algorithm>
#include <cmath>

#include "base/callers_function.h"
#include "base/fail.h"
#include "sequence/search/beam_search.h"
#include "sequence/search/sample_search.h"

namespace mxinfer::api {
namespace {

bool is_stopped(const SearchRules& rules, const std::vector<std::int32_t>& ids) {
  if (!rules.stop) return false;
  return run_callers_function([] { return "GenerateOptions::stop"; },
                              [&] { return rules.stop(Span<const std::int32_t>(ids)); });
}

}  // namespace

std::vector<Extension> TokenSearch::advance(Span<const float> scores, std::size_t vocabulary) {
  std::vector<double> log_probability(scores.size());
  const Span<double> all(log_probability);
  std::vector<std::int32_t> seen;
  for (std::size_t r = 0; r < rows_; ++r) {
    seen = rules_.prompt;
    const Hypothesis& sequence = row(r);
    seen.insert(seen.end(), sequence.ids.begin(), sequence.ids.end());
    in_context([&] { return concat("token ", step_, " of a sequence"); },
               [&] {
                 log_probabilities(scores.subspan(r * vocabulary, vocabulary), rules_.scores,
                                   Span<const std::int32_t>(seen), all.subspan(r * vocabulary, vocabulary));
               });
  }
  ++step_;
  std::vector<Extension> next = choose(Span<const double>(log_probability), vocabulary, step_);
  rows_ = next.size();
  return next;
}

Hypothesis TokenSearch::extended(const Hypothesis& from, std::int32_t token, double log_probability,
                                 int step) const {
  Hypothesis next = from;
  next.log_probability += log_probability;
  if (std::find(rules_.end_ids.begin(), rules_.end_ids.end(), token) != rules_.end_ids.end()) {
    next.finish = Finish::end;
    next.end_id = token;
    return next;
  }
  next.ids.push_back(token);
  if (is_stopped(rules_, next.ids)) {
    next.finish = Finish::stopped;
  } else if (step >= rules_.max_length) {
    next.finish = Finish::length;
  }
  return next;
}

double length_penalty(double alpha, double k, int length) {
  return std::pow((k + length) / (k + 1), alpha);
}

std::unique_ptr<TokenSearch> make_search(const GenerateOptions& options, SearchRules rules) {
  if (options.search == Search::sample) {
    return std::make_unique<SampleSearch>(std::move(rules),
                                          DrawRules{options.temperature, options.top_k, options.top_p},
                                          options.seed, options.num_sequences);
  }
  const int width = options.search == Search::greedy ? 1 : options.beam;
  return std::make_unique<BeamSearch>(std::move(rules),
                                      BeamRules{width, double{options.alpha}, double{options.length_k}});
}

}  // namespace mxinfer::api
