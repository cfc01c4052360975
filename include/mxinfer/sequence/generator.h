// SequenceGenerator: a Predictor that generates sequences token by token: translations, texts, captions.
//
//   mxinfer::GeneratorOptions options;
//   options.vocabulary = mxinfer::Vocabulary::load("vocab.json");
//   mxinfer::SequenceGenerator generator("language_model", options);
//   std::cout << generator.generate_text("The ship").at(0).text << '\n';
//
// In each step the network returns a score for each token of the vocabulary. It takes either the last token
// and its states, and returns the next states; or all tokens so far. docs/how-to/generation.md describes
// these graphs and how tokens are chosen.
//
// To print a sequence as it is generated:
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

/// Generates sequences. All const functions are thread-safe.
class MXINFER_API SequenceGenerator : public Predictor {
 public:
  /// Throws as Predictor. Throws Error(invalid_argument) if:
  /// - a name is not one of the model's
  /// - all outputs of the model are states
  /// - an id is not in the vocabulary
  /// - the buckets are not in ascending order
  explicit SequenceGenerator(const Model& model, const GeneratorOptions& options = {});
  explicit SequenceGenerator(const std::string& uri, const GeneratorOptions& options = {},
                             const LoadOptions& load = {});
  SequenceGenerator(const SequenceGenerator&) noexcept;
  SequenceGenerator& operator=(const SequenceGenerator&) noexcept;
  ~SequenceGenerator() override;

  /// Continues a prompt of ids, which may be empty if there is a begin id. Returns
  /// GenerateOptions::num_sequences sequences. Those of a beam are best first, and fewer if no more are
  /// possible; samples are in order of their numbers: 0, 1, and so on.
  ///
  /// Throws Error(invalid_argument) if:
  /// - an option is out of its range
  /// - the prompt is empty and there is no begin id
  /// - the network has no score for an id
  /// - an input or state does not fit
  /// - a score is NaN
  [[nodiscard]] std::vector<Generated> generate(Span<const std::int32_t> prompt,
                                                const GenerateOptions& options = {}) const;
  /// Continues many prompts. Prompts that can run as one batch do so. Each result is that of generate() for
  /// the prompt alone, with the same seed.
  [[nodiscard]] std::vector<std::vector<Generated>> generate_batch(
      Span<const std::vector<std::int32_t>> prompts, const GenerateOptions& options = {}) const;
  /// Continues prompts of text, by their ids(). Throws Error(invalid_argument) if there is neither a
  /// vocabulary nor a tokenizer.
  [[nodiscard]] std::vector<Generated> generate_text(std::string_view prompt,
                                                     const GenerateOptions& options = {}) const;
  [[nodiscard]] std::vector<std::vector<Generated>> generate_texts(Span<const std::string> prompts,
                                                                   const GenerateOptions& options = {}) const;

  /// Starts one sequence that is generated token by token, by greedy search or sampling. Nothing runs before
  /// the first next(). Throws Error(invalid_argument) for a beam or for more than one sequence.
  [[nodiscard]] Generation start(Span<const std::int32_t> prompt, const GenerateOptions& options = {}) const;
  [[nodiscard]] Generation start_text(std::string_view prompt, const GenerateOptions& options = {}) const;

  /// Returns the ids of a text: those of the tokenizer, or of its words between white space. The begin id is
  /// not added.
  [[nodiscard]] std::vector<std::int32_t> ids(std::string_view text) const;
  /// Returns the text of ids.
  [[nodiscard]] std::string text(Span<const std::int32_t> ids) const;
  /// Returns the vocabulary, which is empty if there is neither a vocabulary nor a tokenizer.
  [[nodiscard]] const Vocabulary& vocabulary() const noexcept;
  /// Returns the options with the fields that GeneratorOptions left open as they were found: names, states,
  /// kinds, ids.
  [[nodiscard]] const GeneratorOptions& found() const noexcept;

 private:
  friend class Generation;
  struct Decoder;
  std::shared_ptr<const Decoder> decoder_;
};

/// A sequence that is being generated. It keeps its generator alive. Use it from one thread at a time. A
/// moved-from object is a sequence without tokens that has ended.
class MXINFER_API Generation {
 public:
  Generation(Generation&&) noexcept;
  Generation& operator=(Generation&&) noexcept;
  Generation(const Generation&) = delete;
  Generation& operator=(const Generation&) = delete;
  ~Generation();

  /// Returns the next token, or nothing if the sequence has ended. The token that ends it is not returned.
  /// Throws as SequenceGenerator::generate; the sequence has then ended.
  std::optional<std::int32_t> next();
  /// Returns what the last token adds to the text. It is empty without a vocabulary, and while the text
  /// depends on later tokens, as for a character whose bytes are several tokens. Once next() has returned
  /// nothing, it is the rest of the text, with U+FFFD for incomplete characters; it is usually empty.
  [[nodiscard]] const std::string& piece() const noexcept;
  /// Returns the sequence so far. `finish` is valid once next() has returned nothing.
  [[nodiscard]] const Generated& result() const noexcept;

 private:
  friend class SequenceGenerator;
  struct State;
  explicit Generation(std::unique_ptr<State> state) noexcept;
  std::unique_ptr<State> state_;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
