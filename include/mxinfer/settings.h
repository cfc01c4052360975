// Settings: every option by its name, as text. Use it for configuration files, environment variables and
// other languages: it needs no knowledge of the option structs, and takes options that later versions add.
//
//   mxinfer::Settings settings;
//   settings.set("threads", "4");
//   settings.set("preset", "imagenet");
//   mxinfer::ImageClassifier classifier("resnet18_v1", settings.image_options(), settings.load_options());
//
// The names are those of the fields: "threads" is Options::threads, "max_batch" is AsyncOptions::max_batch,
// "epoch" is LoadOptions::epoch, "mean" is Preprocess::mean. settings_known() lists them all.
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

/// The struct that a setting belongs to.
enum class SettingGroup {
  load,      ///< LoadOptions
  run,       ///< Options
  queue,     ///< AsyncOptions, of asynchronous calls
  image,     ///< Preprocess, and what else ImageOptions and DetectorOptions have for images
  scores,    ///< Activation and the minimum score of classes
  detector,  ///< BoxUnits
};

/// Returns "load", "run", "queue", "image", "scores" or "detector".
[[nodiscard]] MXINFER_API const char* to_string(SettingGroup group) noexcept;

/// Describes one setting.
struct SettingInfo {
  const char* name;
  SettingGroup group;
  const char* value;  ///< the values it takes: "a whole number", "true or false", "none, softmax or sigmoid"
  const char* default_text;  ///< its default; "" if that is not a value
  const char* help;          ///< one sentence about what it does
  bool is_for_addresses;     ///< whether it is a field of RemoteOptions, for models at addresses
};

/// Returns all settings, by group. The list lives as long as the process.
[[nodiscard]] MXINFER_API Span<const SettingInfo> settings_known() noexcept;

/// A set of values by name. Copies are independent. Use an object from one thread at a time.
class MXINFER_API Settings {
 public:
  Settings();
  Settings(const Settings& other);
  Settings& operator=(const Settings& other);
  ~Settings();

  /// Sets a value. If a name is set twice, the last value is used. "preset" is applied before all other
  /// settings of images, even if it is set later. Numbers are decimal with a point in every locale, or a
  /// fraction such as 1/255. Booleans are true or false. A list of texts is a JSON array, or one text as it
  /// is. Returns *this.
  ///
  /// Throws Error(invalid_argument) if the name is unknown; the message lists similar names. Throws
  /// Error(invalid_argument) if the value is invalid; the message says what is valid. The settings are then
  /// unchanged.
  Settings& set(std::string_view name, std::string_view value);

  /// Returns the options of a Predictor. Ignores settings of the group `load`. Throws Error(invalid_argument)
  /// if settings of groups that a Predictor does not use are set.
  [[nodiscard]] Options options() const;
  /// Returns the options of a Classifier. Ignores and throws likewise.
  [[nodiscard]] ClassifierOptions classifier_options() const;
  /// Returns the options of an ImageClassifier. Ignores and throws likewise.
  [[nodiscard]] ImageOptions image_options() const;
  /// Returns the options of an ObjectDetector. Ignores and throws likewise.
  [[nodiscard]] DetectorOptions detector_options() const;
  /// Returns the options of Model::load and of constructors that load a model. Ignores all other settings.
  [[nodiscard]] LoadOptions load_options() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Parses "NAME=SHAPE[:DTYPE[:LAYOUT[:MEANING]]]", such as "data=-1,3,224,224:uint8:NCHW:image". A size of -1
/// is free, and the name is everything before the last '='. DTYPE is what parse_dtype() takes, and the
/// letters of LAYOUT may be lower case. Throws Error(invalid_argument).
[[nodiscard]] MXINFER_API DataDesc parse_data_desc(std::string_view text);

/// Returns the dtype with that name, in upper or lower case. Other spellings are "fp32", "f32", "float" and
/// "single" for float32; "fp64", "f64" and "double" for float64; "fp16", "f16" and "half" for float16; "bf16"
/// for bfloat16; "boolean" for bool. Signatures and transforms in JSON take the same names. Throws
/// Error(invalid_argument), which lists the names, if there is none.
[[nodiscard]] MXINFER_API DType parse_dtype(std::string_view name);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
