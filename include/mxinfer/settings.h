// Settings: every option by its name, as text. For files of settings, environment variables and other
// languages, which need not know the structs of options, and still take what a later version adds.
//
//   mxinfer::Settings settings;
//   settings.set("threads", "4");
//   settings.set("preset", "imagenet");
//   mxinfer::ImageClassifier classifier("resnet18_v1", settings.image_options(), settings.load_options());
//
// Names are those of the fields: "threads" is Options::threads, "max_batch" AsyncOptions::max_batch, "epoch"
// LoadOptions::epoch, "mean" Preprocess::mean. settings_known() lists all of them.
#pragma once

#include <mxinfer/classifier.h>
#include <mxinfer/export.h>
#include <mxinfer/load_options.h>
#include <mxinfer/options.h>
#include <mxinfer/signature.h>
#include <mxinfer/span.h>
#include <mxinfer/vision/object_detector.h>
#include <mxinfer/vision/preprocess.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// What a setting is for.
enum class SettingGroup {
  load,      ///< LoadOptions
  run,       ///< Options
  queue,     ///< AsyncOptions, of predict_async and its like
  image,     ///< Preprocess, and the rest of ImageOptions and DetectorOptions that is about images
  scores,    ///< Activation and the least score of classes
  detector,  ///< BoxUnits
};

/// "load", "run", "queue", "image", "scores", "detector".
[[nodiscard]] MXINFER_API const char* to_string(SettingGroup group) noexcept;

/// One setting that there is.
struct SettingInfo {
  const char* name;
  SettingGroup group;
  const char* value;         ///< what it takes: "a whole number", "true or false", "none, softmax or sigmoid"
  const char* default_text;  ///< what it is if nothing sets it; "" if that is not a value
  const char* help;          ///< one sentence
};

/// All settings, by group. Lives as long as the process.
[[nodiscard]] MXINFER_API Span<const SettingInfo> settings_known() noexcept;

/// Copies are independent. One object is for one thread at a time.
class MXINFER_API Settings {
 public:
  Settings();
  Settings(const Settings& other);
  Settings& operator=(const Settings& other);
  ~Settings();

  /// Sets a value; of a name that is set twice, the last one counts. "preset" stands before all other
  /// settings of images, whenever it is set. Numbers are decimal with a point, whatever the locale, or a
  /// fraction such as 1/255; truths are true or false; lists of texts are a JSON array, or one text as it is.
  /// Errors (invalid_argument): a name that there is not, with those that are near, and a value that the
  /// setting does not take, with what it takes; nothing has changed then.
  Settings& set(std::string_view name, std::string_view value);

  /// For a Predictor. Settings of `load` are passed over. Errors (invalid_argument): settings of another
  /// group that are set, for a plain predictor would not follow them.
  [[nodiscard]] Options options() const;
  /// For a Classifier; likewise.
  [[nodiscard]] ClassifierOptions classifier_options() const;
  /// For an ImageClassifier; likewise.
  [[nodiscard]] ImageOptions image_options() const;
  /// For an ObjectDetector; likewise.
  [[nodiscard]] DetectorOptions detector_options() const;
  /// For Model::load, and for what loads one. All other settings are passed over.
  [[nodiscard]] LoadOptions load_options() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// "NAME=SHAPE[:DTYPE[:LAYOUT[:MEANING]]]", such as "data=-1,3,224,224:uint8:NCHW:image", with -1 for a free
/// size; the name is what stands before the last '='. DTYPE is what parse_dtype() takes, the letters of
/// LAYOUT may be small. Throws Error(invalid_argument).
[[nodiscard]] MXINFER_API DataDesc parse_data_desc(std::string_view text);

/// The dtype of that name, in upper or lower case, or of another spelling: "fp32", "f32", "float" and
/// "single" are float32, "fp64", "f64" and "double" float64, "fp16", "f16" and "half" float16, "bf16" is
/// bfloat16, "boolean" bool. Signatures and transforms in JSON take the same. Throws Error(invalid_argument),
/// which lists the names.
[[nodiscard]] MXINFER_API DType parse_dtype(std::string_view name);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
