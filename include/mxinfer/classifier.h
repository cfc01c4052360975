// Classifier: a Predictor whose first output holds one score for each class of each sample. (If the
// model's signature says which outputs are scores and ids, as with one that ends in top-k, those.)
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
  std::string label;  ///< the class name; the index as text if the model has no labels
  float score = 0;    ///< as the model gives it, or behind ClassifierOptions::activation
  int index = 0;      ///< the class's position in the output
};

struct ClassifierOptions {
  /// Applied to the scores of each sample before they are ranked. Error(invalid_argument) if the network
  /// ends in a softmax already, or chooses the classes itself.
  Activation activation = Activation::none;
  /// Classes that score less are left out.
  std::optional<float> min_score{};
  Options options{};
};

class MXINFER_API Classifier : public Predictor {
 public:
  /// Errors as Predictor, and invalid_argument if the number of labels is known not to be that of the
  /// classes.
  explicit Classifier(const Model& model, const ClassifierOptions& options = {});
  explicit Classifier(const std::string& uri, const ClassifierOptions& options = {},
                      const LoadOptions& load = {});
  Classifier(const Classifier&) noexcept;
  Classifier& operator=(const Classifier&) noexcept;
  ~Classifier() override;

  /// Classifies one sample, given as a flat array of the first input's elements (float32 inputs). With top_k:
  /// that many classes (all, if it is larger), by falling score, equal scores by index. Without: every
  /// class in label order. Errors (invalid_argument): more or fewer elements than one sample has, top_k below
  /// 1, an output that is not (batch, classes...) of float32, labels that do not fit it.
  std::vector<Classification> classify(Span<const float> sample, std::optional<int> top_k = {}) const;
  /// Classifies a batch, any dtype the input has; one list for each sample.
  std::vector<std::vector<Classification>> classify_batch(const TensorView& batch,
                                                          std::optional<int> top_k = {}) const;

  /// As classify and classify_batch, through queue() (Predictor::predict_async says what is borrowed).
  [[nodiscard]] Prediction<std::vector<Classification>> classify_async(
      Span<const float> sample, std::optional<int> top_k = {}, const SubmitOptions& options = {}) const;
  template <typename Sample, typename = std::enable_if_t<std::is_same_v<Sample, std::vector<float>>>>
  [[nodiscard]] Prediction<std::vector<Classification>> classify_async(
      Sample&& sample, std::optional<int> top_k = {}, const SubmitOptions& options = {}) const {
    return classify_moved_async(std::forward<Sample>(sample), top_k, options);
  }
  [[nodiscard]] Prediction<std::vector<std::vector<Classification>>> classify_batch_async(
      const TensorView& batch, std::optional<int> top_k = {}, const SubmitOptions& options = {}) const;

  /// What the outputs of a predict say, one list for each sample, as classify_batch gives them: for models of
  /// several inputs. Errors as classify.
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
