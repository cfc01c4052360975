// TokenSearch: chooses the tokens that continue one prompt, step by step, from the scores of each live
// sequence. It does not know networks:
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
  std::optional<Finish> finish{};  ///< nullopt while it is alive
  std::optional<std::int32_t> end_id{};
};

/// A sequence that is alive after a step: the row of the scores that it continues, and its new token.
struct Extension {
  std::size_t parent;
  std::int32_t token;
  friend bool operator==(const Extension& a, const Extension& b) {
    return a.parent == b.parent && a.token == b.token;
  }
};

/// The rules that all searches share.
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

  /// The number of sequences that need scores; 0 at the end.
  std::size_t rows() const { return rows_; }
  /// Takes the scores of all rows, row after row, `vocabulary` each. Returns the rows of the next step, in
  /// order. Throws as log_probabilities(), and an Error with the exception of SearchRules::stop.
  std::vector<Extension> advance(Span<const float> scores, std::size_t vocabulary);
  /// The sequences in order: beams by descending score, samples by number.
  virtual std::vector<Hypothesis> results() const = 0;

 protected:
  /// The sequence of a row.
  virtual const Hypothesis& row(std::size_t index) const = 0;
  /// Chooses from the log-probabilities of all rows; `step` counts from 1.
  virtual std::vector<Extension> choose(Span<const double> log_probabilities, std::size_t vocabulary,
                                        int step) = 0;
  /// `from` extended by one token, which may end it. The caller sets its score.
  Hypothesis extended(const Hypothesis& from, std::int32_t token, double log_probability, int step) const;

  SearchRules rules_;

 private:
  std::size_t rows_ = 1;
  int step_ = 0;
};

/// The penalty of GNMT for sequences of `length` tokens: ((k + length) / (k + 1)) ^ alpha.
double length_penalty(double alpha, double k, int length);

/// Creates the search that options.search names. Precondition: the options are in range.
std::unique_ptr<TokenSearch> make_search(const GenerateOptions& options, SearchRules rules);

}  // namespace mxinfer::api
