// TokenSearch: chooses the tokens of the sequences that go on with one prompt, step by step, from the scores
// of each sequence that is still alive. It knows nothing of networks:
//
//   std::unique_ptr<TokenSearch> search = make_search(options, rules);
//   while (search->rows() > 0) {
//     const std::vector<Extension> next = search->advance(scores_of_rows, V);
//     ... for each: the network's states of row next[i].parent, and the token next[i].token
//   }
//   search->results();
//
// It begins with one row: the end of the prompt.
#pragma once

#include <mxinfer/sequence/generate_options.h>
#include <mxinfer/span.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "sequence/search/token_draw.h"
#include "sequence/search/token_scores.h"

namespace mxinfer::api {

/// A sequence, alive or ended.
struct Hypothesis {
  std::vector<std::int32_t> ids{};  ///< without the prompt; without the token that ended it
  double log_probability = 0;
  double score = 0;
  std::optional<Finish> finish{};  ///< nothing while it is alive
  std::optional<std::int32_t> end_id{};
};

/// A sequence that is alive after a step: the row of the scores that it goes on from, and its new token.
struct Extension {
  std::size_t parent;
  std::int32_t token;
  friend bool operator==(const Extension& a, const Extension& b) {
    return a.parent == b.parent && a.token == b.token;
  }
};

/// What the searches have in common.
struct SearchRules {
  ScoreRules scores{};
  std::vector<std::int32_t> prompt{};   ///< for the repetition penalty
  std::vector<std::int32_t> end_ids{};  ///< any of them ends a sequence
  int max_length = 100;                 ///< steps; at least 1
  std::function<bool(Span<const std::int32_t>)> stop{};
};

class TokenSearch {
 public:
  explicit TokenSearch(SearchRules rules) : rules_(std::move(rules)) {}
  TokenSearch(const TokenSearch&) = delete;
  TokenSearch& operator=(const TokenSearch&) = delete;
  virtual ~TokenSearch() = default;

  /// How many sequences want scores; 0 at the end.
  std::size_t rows() const { return rows_; }
  /// Takes the scores of all rows, row after row, `vocabulary` each. What is returned are the rows of the
  /// next step, in order. Errors as log_probabilities(), and what SearchRules::stop throws, as
  /// an Error that says so.
  std::vector<Extension> advance(Span<const float> scores, std::size_t vocabulary);
  /// The sequences in their order: beams by falling score, samples by number.
  virtual std::vector<Hypothesis> results() const = 0;

 protected:
  /// The sequence of a row.
  virtual const Hypothesis& row(std::size_t index) const = 0;
  /// Chooses from the log-probabilities of all rows; `step` counts from 1.
  virtual std::vector<Extension> choose(Span<const double> log_probabilities, std::size_t vocabulary,
                                        int step) = 0;
  /// `from` with one token more, ended if that ends it. Its score is left to the caller.
  Hypothesis extended(const Hypothesis& from, std::int32_t token, double log_probability, int step) const;

  SearchRules rules_;

 private:
  std::size_t rows_ = 1;
  int step_ = 0;
};

/// The penalty of GNMT for sequences of `length` tokens: ((k + length) / (k + 1)) ^ alpha.
double length_penalty(double alpha, double k, int length);

/// What options.search asks for. Precondition: the options are in their ranges.
std::unique_ptr<TokenSearch> make_search(const GenerateOptions& options, SearchRules rules);

}  // namespace mxinfer::api
