#include "api/generation/generator_run.h"

#include <algorithm>
#include <utility>

#include "api/generation/generator_options.h"
#include "base/fail.h"

namespace mxinfer::api {
namespace {

SearchRules rules_of(const GeneratorGraph& graph, const GeneratorOptions& generator,
                     const GenerateOptions& options, const std::vector<std::int32_t>& prompt) {
  SearchRules rules;
  rules.scores = {graph.kind, options.repetition_penalty};
  rules.prompt = prompt;
  rules.end_ids = options.stop_ids;
  if (generator.end_id && *generator.end_id >= 0) rules.end_ids.push_back(*generator.end_id);
  rules.max_length = options.max_length;
  rules.stop = options.stop;
  return rules;
}

}  // namespace

GeneratorRun::GeneratorRun(const Predictor& predictor, const GeneratorGraph& graph,
                           const GeneratorOptions& generator, std::vector<std::vector<std::int32_t>> prompts,
                           const GenerateOptions& options)
    : generator_(generator),
      options_(options),
      rows_(predictor, graph, generator, options.inputs, prompts.size()) {
  std::size_t shortest = prompts[0].size();
  for (const auto& prompt : prompts) shortest = std::min(shortest, prompt.size());
  const std::size_t begin = graph.whole_prefix ? shortest : 1;
  for (auto& prompt : prompts) {
    sequences_.emplace_back(prompt.begin(), prompt.begin() + static_cast<std::ptrdiff_t>(begin));
    auto search = make_search(options, rules_of(graph, generator, options, prompt));
    prompts_.push_back({std::move(prompt), std::move(search)});
  }
}

void GeneratorRun::check_vocabulary(std::size_t vocabulary) const {
  const auto check_id = [&](std::int32_t id, const char* what) {
    if (id >= 0 && static_cast<std::size_t>(id) < vocabulary) return;
    fail(ErrorCode::invalid_argument, what, " ", id,
         " has no score: the network gives scores for the tokens 0 to ",
         static_cast<std::int64_t>(vocabulary) - 1);
  };
  for (const Prompt& prompt : prompts_) {
    for (const std::int32_t id : prompt.ids) check_id(id, "token");
  }
  for (const std::int32_t id : options_.stop_ids) check_id(id, "the stop id");
  if (generator_.end_id && *generator_.end_id >= 0) check_id(*generator_.end_id, "the end id");
  check_words(generator_.vocabulary, vocabulary);
  if (options_.search == Search::beam && static_cast<std::size_t>(options_.beam) > vocabulary) {
    fail(ErrorCode::invalid_argument, "GenerateOptions::beam is ", options_.beam,
         "; expected 1 to the size of the vocabulary, ", vocabulary);
  }
}

// The rows of the next step for a prompt: its own next token, or the tokens found.
std::vector<Extension> GeneratorRun::extend(std::size_t prompt, std::size_t first_row,
                                            const GeneratorRows::Scores& scores) {
  Prompt& of = prompts_[prompt];
  const std::size_t length = sequences_[first_row].size();
  if (length < of.ids.size()) return {{0, of.ids[length]}};
  const Span<const float> own =
      scores.values.subspan(first_row * scores.vocabulary, of.search->rows() * scores.vocabulary);
  if (prompts_.size() == 1) return of.search->advance(own, scores.vocabulary);
  return in_context([&] { return concat("prompt ", prompt); },
                    [&] { return of.search->advance(own, scores.vocabulary); });
}

bool GeneratorRun::step() {
  if (sequences_.empty()) return false;
  const GeneratorRows::Scores scores = rows_.step(Span<const std::vector<std::int32_t>>(sequences_));
  check_vocabulary(scores.vocabulary);
  std::vector<std::size_t> parents;
  std::vector<std::vector<std::int32_t>> next;
  std::size_t first_row = 0;
  for (std::size_t p = 0; p < prompts_.size(); ++p) {
    const std::size_t rows = prompts_[p].search->rows();
    if (rows == 0) continue;
    for (const auto& [parent, token] : extend(p, first_row, scores)) {
      parents.push_back(first_row + parent);
      next.push_back(sequences_[first_row + parent]);
      next.back().push_back(token);
    }
    first_row += rows;
  }
  sequences_ = std::move(next);
  rows_.keep(Span<const std::size_t>(parents));
  return !sequences_.empty();
}

}  // namespace mxinfer::api
