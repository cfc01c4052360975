// SequenceGenerator: a Predictor that writes sequences token by token: translations, texts, captions.
//
//   mxinfer::GeneratorOptions options;
//   options.vocabulary = mxinfer::Vocabulary::load("vocab.json");
//   mxinfer::SequenceGenerator generator("language_model", options);
//   std::cout << generator.generate_text("The ship").at(0).text << '\n';
//
// Its network takes the token of one step and its states, and gives a score for each token of the vocabulary
// and the next states; or it takes all tokens so far. docs/how-to/generation.md says which graphs that are,
// and how tokens are chosen.
//
// A sequence as it comes:
//
//   mxinfer::Generation generation = generator.start_text("The ship");
//   while (generation.next()) std::cout << generation.piece() << std::flush;
#pragma once

#include <mxinfer/export.h>
#include <mxinfer/predictor.h>
#include <mxinfer/sequence/generate_options.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

class Generation;

class MXINFER_API SequenceGenerator : public Predictor {
 public:
  /// Errors as Predictor, and invalid_argument for names that are not the model's, a model whose outputs
  /// are all states, ids that are not the vocabulary's, buckets that do not rise.
  explicit SequenceGenerator(const Model& model, const GeneratorOptions& options = {});
  explicit SequenceGenerator(const std::string& uri, const GeneratorOptions& options = {},
                             const LoadOptions& load = {});
  SequenceGenerator(const SequenceGenerator&) noexcept;
  SequenceGenerator& operator=(const SequenceGenerator&) noexcept;
  ~SequenceGenerator() override;

  /// Goes on with a prompt of ids, which may be empty if there is a begin id. Gives
  /// GenerateOptions::num_sequences sequences: of a beam best first, or fewer if no more are possible; of
  /// samples in the order of their numbers. Errors (invalid_argument): options out of their ranges, an empty
  /// prompt without a begin id, ids that the network has no score for, inputs or states that do not fit,
  /// scores that are NaN. Thread-safe, as all that is const.
  [[nodiscard]] std::vector<Generated> generate(Span<const std::int32_t> prompt,
                                                const GenerateOptions& options = {}) const;
  /// Many prompts: those that can run as one batch do. Each gives what generate gives for it alone, with the
  /// same seed.
  [[nodiscard]] std::vector<std::vector<Generated>> generate_batch(
      Span<const std::vector<std::int32_t>> prompts, const GenerateOptions& options = {}) const;
  /// A prompt of text: as its ids(). Needs a vocabulary or a tokenizer: Error(invalid_argument).
  [[nodiscard]] std::vector<Generated> generate_text(std::string_view prompt,
                                                     const GenerateOptions& options = {}) const;
  [[nodiscard]] std::vector<std::vector<Generated>> generate_texts(Span<const std::string> prompts,
                                                                   const GenerateOptions& options = {}) const;

  /// One sequence, token by token, greedy or sampled: Error(invalid_argument) for a beam, or for more than
  /// one sequence. Nothing runs before the first next().
  [[nodiscard]] Generation start(Span<const std::int32_t> prompt, const GenerateOptions& options = {}) const;
  [[nodiscard]] Generation start_text(std::string_view prompt, const GenerateOptions& options = {}) const;

  /// The ids of a text: by the tokenizer, or its words, parted by white space. The begin id is not there.
  [[nodiscard]] std::vector<std::int32_t> ids(std::string_view text) const;
  /// The text of ids.
  [[nodiscard]] std::string text(Span<const std::int32_t> ids) const;
  /// Empty if there is neither a vocabulary nor a tokenizer.
  [[nodiscard]] const Vocabulary& vocabulary() const noexcept;
  /// Those that GeneratorOptions leave open, as they were found: names, states, kinds, ids.
  [[nodiscard]] const GeneratorOptions& found() const noexcept;

 private:
  friend class Generation;
  struct Decoder;
  std::shared_ptr<const Decoder> decoder_;
};

/// A sequence that is being generated. It keeps what it needs of its generator. One thread at a time. One
/// that was moved from is a sequence without tokens that has ended.
class MXINFER_API Generation {
 public:
  Generation(Generation&&) noexcept;
  Generation& operator=(Generation&&) noexcept;
  Generation(const Generation&) = delete;
  Generation& operator=(const Generation&) = delete;
  ~Generation();

  /// The next token; nothing if the sequence has ended. The token that ends it is not given. Errors as
  /// SequenceGenerator::generate; after one it has ended.
  std::optional<std::int32_t> next();
  /// What the last token adds to the text; empty without a vocabulary, and where only later tokens decide
  /// how the text goes on, as of a character whose bytes are tokens. Once next() has given nothing: what no
  /// later token has decided, U+FFFD for such bytes; mostly empty.
  [[nodiscard]] const std::string& piece() const noexcept;
  /// The sequence so far; its `finish` holds once next() has given nothing.
  [[nodiscard]] const Generated& result() const noexcept;

 private:
  friend class SequenceGenerator;
  struct State;
  explicit Generation(std::unique_ptr<State> state) noexcept;
  std::unique_ptr<State> state_;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
