// TextClassifier: a SequencePredictor that takes texts and gives labels.
//
//   mxinfer::TextClassifier classifier("models/language_id");
//   auto best = classifier.classify("Wo ist der Bahnhof?", 3);      // the three best, best first
//   for (const auto& [label, score, index] : best) std::cout << label << ' ' << score << '\n';
//   auto many = classifier.classify_texts(texts, 1);                // in buckets, side by side
//
// A model that takes text (its file has the tokenizer and the vocabulary: docs/how-to/sequences.md) needs
// nothing else. In front of a bare network stands TextOptions::tokenizer.
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

struct TextOptions {
  /// Of a network without a tokenizer in its file; it must have a vocabulary. What SequenceOptions and the
  /// file leave open, the padding, is that of the vocabulary.
  std::optional<Tokenizer> tokenizer{};
  /// Tokens in front of each text and behind it, such as "[CLS]" and "[SEP]"; empty: none. A pair is
  /// begin, first, end, second, end. They stay where a text that is too long loses tokens; a pair loses those
  /// of its longer text first. Of a network without a tokenizer in its file.
  std::string begin{};
  std::string end{};
  /// The input that takes 0 for each token of the first text and 1 for those of the second; empty: one that
  /// is called "token_types" or "segment_ids" (or data1 of BERT as GluonNLP exports it), or none.
  std::string segment_input{};
  Activation activation = Activation::none;  ///< as ClassifierOptions::activation
  std::optional<float> min_score{};
  SequenceOptions sequence{};
};

class MXINFER_API TextClassifier : public SequencePredictor {
 public:
  /// Errors as SequencePredictor; invalid_argument if the model takes no text and there is no tokenizer (or
  /// takes them, and there is one), if the vocabulary lacks `begin` or `end` or has ids that the network has
  /// no row for, if there is no such segment_input, and as Classifier.
  explicit TextClassifier(const Model& model, const TextOptions& options = {});
  /// Of a bucketed model, which takes ids; labels are those of its largest bucket.
  explicit TextClassifier(const BucketedModel& model, const TextOptions& options = {});
  /// Loads the model, or the bucketed model, at `uri`.
  explicit TextClassifier(const std::string& uri, const TextOptions& options = {},
                          const LoadOptions& load = {});
  TextClassifier(const TextClassifier&) noexcept;
  TextClassifier& operator=(const TextClassifier&) noexcept;
  ~TextClassifier() override;

  /// One text. With top_k: that many classes, by falling score; without: every class in label order. An empty
  /// text (or one without a token) is Error(invalid_argument), unless `begin` or `end` are set; so is invalid
  /// UTF-8, with the position of the first wrong byte.
  [[nodiscard]] std::vector<Classification> classify(std::string_view text,
                                                     std::optional<int> top_k = {}) const;
  [[nodiscard]] std::vector<Classification> classify_pair(std::string_view first, std::string_view second,
                                                          std::optional<int> top_k = {}) const;
  /// A text that was cut into tokens already; `begin` and `end` are added. Error(unsupported) if the
  /// tokenizer is in the model's file.
  [[nodiscard]] std::vector<Classification> classify_tokens(Span<const std::string> tokens,
                                                            std::optional<int> top_k = {}) const;
  /// Ids as ids() gives them: nothing is added. Error(invalid_argument) for one that the network has no row
  /// for.
  [[nodiscard]] std::vector<Classification> classify_ids(Span<const std::int32_t> ids,
                                                         std::optional<int> top_k = {}) const;
  /// Many, of which some hundreds are in memory at a time as ids. With `errors`, wrong ones are reported
  /// there, in order, and have no classes; without, the first one that is wrong fails the call.
  [[nodiscard]] std::vector<std::vector<Classification>> classify_texts(
      Span<const std::string> texts, std::optional<int> top_k = {},
      std::vector<ItemError>* errors = nullptr) const;
  [[nodiscard]] std::vector<std::vector<Classification>> classify_pairs(
      Span<const std::pair<std::string, std::string>> pairs, std::optional<int> top_k = {},
      std::vector<ItemError>* errors = nullptr) const;
  /// As classify, through queue(); what waits runs as one list where AsyncOptions::max_batch allows.
  [[nodiscard]] Prediction<std::vector<Classification>> classify_async(
      std::string text, std::optional<int> top_k = {}, const SubmitOptions& options = {}) const;

  /// How a text is seen by the network: the ids, begin and end included, before padding.
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
