// Classifier: a Predictor that ranks classes. The first output of the network has one score for each class of
// each sample. If the signature names outputs of scores and ids, as after top-k, the classifier reads those.
//
//   mxinfer::Classifier classifier("models/digits");
//   std::vector<float> sample(32 * 32);                    // one image, as the network takes it
//   auto best = classifier.classify(sample, 5);            // the five best, best first
//   for (const auto& [label, score, index] : best) std::cout << label << ' ' << score << '\n';
//   auto all = classifier.classify(sample);                // all classes, in label order
#pragma once

#include <mxinfer/activation.h>
#include <mxinfer/export.h>
#include <mxinfer/predictor.h>

#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// One class of one sample.
struct Classification {
  std::string label;  ///< the class name, or the index as text if the model has no labels
  float score = 0;    ///< the model's score, after ClassifierOptions::activation
  int index = 0;      ///< the position of the class in the output
};

/// How scores are computed and filtered.
struct ClassifierOptions {
  /// Applied to the scores of each sample before they are ranked. Error(invalid_argument) if the network ends
  /// in a softmax already, or chooses the classes itself.
  Activation activation = Activation::none;
  /// Classes with a lower score are left out.
  std::optional<float> min_score{};
  Options options{};
};

/// Ranks the classes of samples. Thread-safe.
class MXINFER_API Classifier : public Predictor {
 public:
  /// Throws as Predictor. Throws Error(invalid_argument) if the number of labels is known to differ from the
  /// number of classes.
  explicit Classifier(const Model& model, const ClassifierOptions& options = {});
  explicit Classifier(const std::string& uri, const ClassifierOptions& options = {},
                      const LoadOptions& load = {});
  Classifier(const Classifier&) noexcept;
  Classifier& operator=(const Classifier&) noexcept;
  ~Classifier() override;

  /// Classifies one sample, given as the elements of the first input, which must be float32. With `top_k`,
  /// returns that many classes, or all if there are fewer, in descending order of score; equal scores are in
  /// order of index. Without it, returns every class in label order.
  ///
  /// Throws Error(invalid_argument) if:
  /// - the number of elements is not that of one sample
  /// - top_k is below 1
  /// - the output is not float32 (batch, classes...), or the labels do not fit it
  std::vector<Classification> classify(Span<const float> sample, std::optional<int> top_k = {}) const;
  /// Classifies a batch of the input's dtype. Returns one list for each sample.
  std::vector<std::vector<Classification>> classify_batch(const TensorView& batch,
                                                          std::optional<int> top_k = {}) const;

  /// As classify and classify_batch, through queue(). Predictor::predict_async says what is borrowed.
  [[nodiscard]] Prediction<std::vector<Classification>> classify_async(
      Span<const float> sample, std::optional<int> top_k = {}, const SubmitOptions& options = {}) const;
  template <typename Sample, typename = std::enable_if_t<std::is_same_v<Sample, std::vector<float>>>>
  [[nodiscard]] Prediction<std::vector<Classification>> classify_async(
      Sample&& sample, std::optional<int> top_k = {}, const SubmitOptions& options = {}) const {
    return classify_moved_async(std::forward<Sample>(sample), top_k, options);
  }
  [[nodiscard]] Prediction<std::vector<std::vector<Classification>>> classify_batch_async(
      const TensorView& batch, std::optional<int> top_k = {}, const SubmitOptions& options = {}) const;

  /// Ranks the outputs of predict, for models with several inputs. Returns one list for each sample, as
  /// classify_batch does. Throws as classify.
  std::vector<std::vector<Classification>> rank(std::vector<Tensor> outputs, std::optional<int> top_k) const;

 private:
  Prediction<std::vector<Classification>> classify_moved_async(std::vector<float> sample,
                                                               std::optional<int> top_k,
                                                               const SubmitOptions& options) const;
  struct ClassifyJob;

  Activation activation_;
  std::optional<float> min_score_;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
