// TextClassifier: a SequencePredictor that classifies texts. A model whose file has the tokenizer and the
// vocabulary (docs/how-to/sequences.md) needs nothing else. For a bare network, set TextOptions::tokenizer.
//
//   mxinfer::TextClassifier classifier("models/language_id");
//   auto best = classifier.classify("Wo ist der Bahnhof?", 3);      // the three best, best first
//   for (const auto& [label, score, index] : best) std::cout << label << ' ' << score << '\n';
//   auto many = classifier.classify_texts(texts, 1);                // in buckets, side by side
#pragma once

#include <mxinfer/activation.h>
#include <mxinfer/classifier.h>
#include <mxinfer/export.h>
#include <mxinfer/sequence/sequence_predictor.h>
#include <mxinfer/sequence/tokenizer.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// How texts become sequences.
struct TextOptions {
  /// For a network without a tokenizer in its file. It must have a vocabulary. If neither SequenceOptions nor
  /// the file states the padding, the vocabulary's padding token is used.
  std::optional<Tokenizer> tokenizer{};
  /// Tokens before and after each text, such as "[CLS]" and "[SEP]". Empty: none. A pair is begin, first,
  /// end, second, end. If a text is too long, they stay; a pair loses tokens of its longer text first. For a
  /// network without a tokenizer in its file.
  std::string begin{};
  std::string end{};
  /// The input that takes 0 for each token of the first text and 1 for each of the second. Empty: an input
  /// called "token_types" or "segment_ids", or data1 of BERT as GluonNLP exports it, if there is one.
  std::string segment_input{};
  Activation activation = Activation::none;  ///< as ClassifierOptions::activation
  std::optional<float> min_score{};          ///< as ClassifierOptions::min_score
  SequenceOptions sequence{};
};

/// Ranks the classes of texts. Thread-safe.
class MXINFER_API TextClassifier : public SequencePredictor {
 public:
  /// Throws as SequencePredictor and Classifier. Throws Error(invalid_argument) if:
  /// - the model takes no text and there is no tokenizer, or it takes text and there is one
  /// - the vocabulary lacks `begin` or `end`, or has ids that the network has no row for
  /// - there is no input `segment_input`
  explicit TextClassifier(const Model& model, const TextOptions& options = {});
  /// Makes a classifier for a bucketed model, which takes ids. The labels are those of its largest bucket.
  explicit TextClassifier(const BucketedModel& model, const TextOptions& options = {});
  /// Loads the model, or the bucketed model, at `uri`.
  explicit TextClassifier(const std::string& uri, const TextOptions& options = {},
                          const LoadOptions& load = {});
  TextClassifier(const TextClassifier&) noexcept;
  TextClassifier& operator=(const TextClassifier&) noexcept;
  ~TextClassifier() override;

  /// Classifies one text, or a pair of texts. With `top_k`, returns that many classes in descending order of
  /// score; without it, every class in label order. Throws Error(invalid_argument) if the text has no tokens
  /// and neither `begin` nor `end` is set. Throws Error(invalid_argument), with the position of the first
  /// invalid byte, if it is not UTF-8.
  [[nodiscard]] std::vector<Classification> classify(std::string_view text,
                                                     std::optional<int> top_k = {}) const;
  [[nodiscard]] std::vector<Classification> classify_pair(std::string_view first, std::string_view second,
                                                          std::optional<int> top_k = {}) const;
  /// Classifies a text that is already split into tokens; `begin` and `end` are added. Throws
  /// Error(unsupported) if the tokenizer is in the model's file.
  [[nodiscard]] std::vector<Classification> classify_tokens(Span<const std::string> tokens,
                                                            std::optional<int> top_k = {}) const;
  /// Classifies ids as ids() returns them: nothing is added. Throws Error(invalid_argument) if the network
  /// has no row for an id.
  [[nodiscard]] std::vector<Classification> classify_ids(Span<const std::int32_t> ids,
                                                         std::optional<int> top_k = {}) const;
  /// Classifies many texts or pairs. At most a few hundred are in memory as ids at a time. With `errors`,
  /// texts that fail are appended there in order and have no classes. Without it, the first one that fails
  /// makes the call throw.
  [[nodiscard]] std::vector<std::vector<Classification>> classify_texts(
      Span<const std::string> texts, std::optional<int> top_k = {},
      std::vector<ItemError>* errors = nullptr) const;
  [[nodiscard]] std::vector<std::vector<Classification>> classify_pairs(
      Span<const std::pair<std::string, std::string>> pairs, std::optional<int> top_k = {},
      std::vector<ItemError>* errors = nullptr) const;
  /// As classify, through queue(). Waiting texts run as one list if AsyncOptions::max_batch allows.
  [[nodiscard]] Prediction<std::vector<Classification>> classify_async(
      std::string text, std::optional<int> top_k = {}, const SubmitOptions& options = {}) const;

  /// Returns the ids that the network gets for a text, begin and end included, before padding.
  [[nodiscard]] std::vector<std::int32_t> ids(std::string_view text) const;

 private:
  struct Start;
  struct Texts;
  struct TextJob;
  TextClassifier(const Start& start, const TextOptions& options);
  std::shared_ptr<const Texts> texts_;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
