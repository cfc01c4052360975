#include "sequence/search/token_draw.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/random/random_draws.h"

namespace mxinfer::api {
namespace {

using Weighted = std::pair<std::int32_t, double>;

bool is_larger(const Weighted& a, const Weighted& b) {
  return a.second != b.second ? a.second > b.second : a.first < b.first;
}

double sum_of_weights(const std::vector<Weighted>& tokens) {
  double sum = 0;
  for (const auto& [token, weight] : tokens) sum += weight;
  return sum;
}

// Keeps tokens of weight 0: top_k counts possible tokens, however unlikely.
std::vector<Weighted> weigh(Span<const double> log_probabilities, double temperature) {
  const double largest = *std::max_element(log_probabilities.begin(), log_probabilities.end());
  std::vector<Weighted> tokens;
  tokens.reserve(log_probabilities.size());
  for (std::size_t i = 0; i < log_probabilities.size(); ++i) {
    if (log_probabilities[i] == -std::numeric_limits<double>::infinity()) continue;
    tokens.emplace_back(static_cast<std::int32_t>(i),
                        std::exp((log_probabilities[i] - largest) / temperature));
  }
  return tokens;
}

void keep_largest(std::vector<Weighted>& tokens, int count) {
  if (count == 0 || tokens.size() <= static_cast<std::size_t>(count)) return;
  const auto end = tokens.begin() + count;
  std::nth_element(tokens.begin(), end - 1, tokens.end(), is_larger);
  tokens.erase(end, tokens.end());
}

// Pops the largest one by one from a heap, because usually only few of many are needed.
void keep_share(std::vector<Weighted>& tokens, double share) {
  if (share >= 1) return;
  const double wanted = share * sum_of_weights(tokens);
  const auto is_smaller = [](const Weighted& a, const Weighted& b) { return is_larger(b, a); };
  std::make_heap(tokens.begin(), tokens.end(), is_smaller);
  auto rest = tokens.end();
  double sum = 0;
  while (rest != tokens.begin() && (sum < wanted || rest == tokens.end())) {
    std::pop_heap(tokens.begin(), rest, is_smaller);
    --rest;
    sum += rest->second;
  }
  tokens.erase(tokens.begin(), rest);
}

}  // namespace

double draw_number(std::uint64_t seed, std::uint64_t sample, std::uint64_t step) {
  using ops::combine_keys;
  const std::uint64_t bits = combine_keys(combine_keys(combine_keys(0, seed), sample), step);
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

std::vector<Weighted> drawable_tokens(Span<const double> log_probabilities, const DrawRules& rules) {
  std::vector<Weighted> tokens = weigh(log_probabilities, double{rules.temperature});
  keep_largest(tokens, rules.top_k);
  keep_share(tokens, double{rules.top_p});
  std::sort(tokens.begin(), tokens.end());
  return tokens;
}

std::int32_t draw_token(Span<const double> log_probabilities, const DrawRules& rules, double number) {
  const std::vector<Weighted> tokens = drawable_tokens(log_probabilities, rules);
  const double wanted = number * sum_of_weights(tokens);
  double sum = 0;
  for (const auto& [token, weight] : tokens) {
    sum += weight;
    if (sum > wanted) return token;
  }
  return tokens.back().first;
}

}  // namespace mxinfer::api
