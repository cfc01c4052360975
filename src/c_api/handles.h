// The handles of the C interface.
#pragma once

#include <mxinfer/classifier.h>
#include <mxinfer/item_error.h>
#include <mxinfer/model.h>
#include <mxinfer/predictor.h>
#include <mxinfer/settings.h>
#include <mxinfer/vision/image_classifier.h>
#include <mxinfer/vision/object_detector.h>
#include <mxinfer_c.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "c_api/call.h"

struct mxinfer_options {
  mxinfer::Settings settings;
};

struct mxinfer_descs {
  std::vector<mxinfer::DataDesc> list;
};

struct mxinfer_model {
  explicit mxinfer_model(const mxinfer::Model& loaded)
      : model(loaded), inputs{loaded.signature().inputs}, outputs{loaded.signature().outputs} {}
  mxinfer::Model model;
  mxinfer_descs inputs;
  mxinfer_descs outputs;
};

struct mxinfer_tensors {
  std::optional<mxinfer::Model> model{};  ///< whose outputs they are, for their names
  std::vector<mxinfer::Tensor> list{};
  std::vector<mxinfer::ItemError> errors{};
  std::vector<std::string> names{};  ///< in place of those of the model
  bool has_names = true;
};

struct mxinfer_classes {
  std::vector<std::vector<mxinfer::Classification>> samples;
  std::vector<mxinfer::ItemError> errors;
};

struct mxinfer_detections {
  std::vector<std::vector<mxinfer::Detection>> images;
  std::vector<mxinfer::ItemError> errors;
};

struct mxinfer_detect_report {
  mxinfer::DetectReport report;
  std::string text;
  mxinfer_detections detections;  ///< those of the report
};

struct mxinfer_predictor {
  mxinfer::Predictor predictor;
};

// Those of classes that are derived hold the handles of their bases, to lend them.

struct mxinfer_classifier {
  explicit mxinfer_classifier(const mxinfer::Classifier& c) : classifier(c), base{c} {}
  mxinfer::Classifier classifier;
  mxinfer_predictor base;
};

struct mxinfer_image_classifier {
  explicit mxinfer_image_classifier(const mxinfer::ImageClassifier& c) : classifier(c), base(c) {}
  mxinfer::ImageClassifier classifier;
  mxinfer_classifier base;
};

struct mxinfer_object_detector {
  explicit mxinfer_object_detector(const mxinfer::ObjectDetector& d) : detector(d), base{d} {}
  mxinfer::ObjectDetector detector;
  mxinfer_predictor base;
};

namespace mxinfer::c_api {

/// Those of the caller, or the defaults.
const Settings& settings_of(const mxinfer_options* options);

/// MXINFER_OK, or what is wrong with an item, and its message.
mxinfer_status item_status(const std::vector<ItemError>& errors, std::size_t item, const char** message);

/// The same of the results of a list, which have `errors`; `name` is theirs for NullArgument.
template <typename Results>
mxinfer_status item_status_of(const Results* results, const char* name, std::size_t item,
                              const char** message, const char* function = __builtin_FUNCTION()) noexcept {
  if (results == nullptr) return call([&] { throw NullArgument{name}; }, function);
  return item_status(results->errors, item, message);
}

/// 0 stands for all.
inline std::optional<int> top_k_of(std::int32_t top_k) {
  return top_k == 0 ? std::nullopt : std::optional<int>(top_k);
}

}  // namespace mxinfer::c_api
