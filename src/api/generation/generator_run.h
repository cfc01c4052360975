// GeneratorRun: the sequences of one or several prompts, step by step in one batch.
//
//   GeneratorRun run(generator, std::move(prompts), options);
//   while (run.step()) {}
//   run.search(0).results();
//
// All rows have the same number of tokens: longer prompts are still being fed while shorter ones already
// generate. So growing states, and the number of the step, are the same for all.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "api/generation/generator_rows.h"
#include "sequence/search/token_search.h"

namespace mxinfer::api {

class GeneratorRun {
 public:
  /// Precondition: the options are in range, and there is at least one prompt, none of them empty. The
  /// references must outlive this.
  GeneratorRun(const Predictor& predictor, const GeneratorGraph& graph, const GeneratorOptions& generator,
               std::vector<std::vector<std::int32_t>> prompts, const GenerateOptions& options);

  /// Runs the network once; false if no sequence is alive. Errors as GeneratorRows and TokenSearch.
  bool step();
  const TokenSearch& search(std::size_t prompt) const { return *prompts_[prompt].search; }

 private:
  struct Prompt {
    std::vector<std::int32_t> ids;
    std::unique_ptr<TokenSearch> search;
  };
  void check_vocabulary(std::size_t vocabulary) const;
  std::vector<Extension> extend(std::size_t prompt, std::size_t first_row,
                                const GeneratorRows::Scores& scores);

  const GeneratorOptions& generator_;
  const GenerateOptions& options_;
  GeneratorRows rows_;
  std::vector<Prompt> prompts_{};
  std::vector<std::vector<std::int32_t>> sequences_{};  ///< by row: its tokens, with the prompt
};

}  // namespace mxinfer::api
