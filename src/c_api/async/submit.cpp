// Submissions to the queues of predictors.
#include <mxinfer_c/async.h>

#include <string>
#include <utility>
#include <vector>

#include "c_api/async/request.h"
#include "c_api/call.h"
#include "c_api/handles.h"
#include "c_api/sequence/handles.h"
#include "c_api/views.h"
#include "c_api/vision/detect_options.h"
#include "c_api/vision/handles.h"
#include "c_api/vision/images.h"
#include "c_api/vision/segment_options.h"

using namespace mxinfer;
using namespace mxinfer::c_api;

namespace {

/// Copies of inputs; those that are left out become the zeros that they stand for.
std::vector<Tensor> copies_of(const Predictor& predictor, Span<const TensorView> views) {
  std::vector<NamedShape> given;
  const std::vector<DataDesc>& inputs = predictor.model().signature().inputs;
  for (std::size_t i = 0; i < std::min(views.size(), inputs.size()); ++i) {
    if (views[i].raw() != nullptr) given.emplace_back(inputs[i].name, views[i].shape());
  }
  std::vector<Tensor> copies;
  for (std::size_t i = 0; i < views.size(); ++i) {
    const bool is_left_out = views[i].raw() == nullptr && i < inputs.size();
    copies.push_back(is_left_out ? Tensor(inputs[i].dtype, predictor.input_shapes(given)[i].second)
                                 : Tensor::copy_of(views[i]));
  }
  return copies;
}

// What a handle holds.
const Classifier& held(const mxinfer_classifier& handle) {
  return handle.classifier;
}
const ImageClassifier& held(const mxinfer_image_classifier& handle) {
  return handle.classifier;
}
const TextClassifier& held(const mxinfer_text_classifier& handle) {
  return handle.classifier;
}
const ObjectDetector& held(const mxinfer_object_detector& handle) {
  return handle.detector;
}
const ImageSegmenter& held(const mxinfer_image_segmenter& handle) {
  return handle.segmenter;
}

/// Submits what start(self, submit, copies) returns, a prediction whose result is no list of outputs;
/// `copies` says that it may not borrow its inputs.
template <typename Handle, typename Start>
mxinfer_status submit_to(const Handle* handle, const char* name, const mxinfer_submit_options* options,
                         mxinfer_request** out, const Start& start,
                         const char* function = __builtin_FUNCTION()) noexcept {
  return call(
      [&] {
        const auto& self = held(need(handle, name));
        submit_request(out, options, std::nullopt,
                       [&](mxinfer_request& request, const mxinfer_submit_options& given,
                           const SubmitOptions& submitted) {
                         request.prediction = start(self, submitted, given.copy_inputs != 0);
                       });
      },
      function);
}

std::string copy_bytes(const void* data, std::size_t bytes) {
  const ByteSpan span = encoded_of(data, bytes);
  return {reinterpret_cast<const char*>(span.data()), span.size()};
}

}  // namespace

mxinfer_status mxinfer_predictor_submit(const mxinfer_predictor* predictor, const mxinfer_tensor* inputs,
                                        size_t input_count, const mxinfer_submit_options* options,
                                        mxinfer_request** out) {
  return call([&] {
    const Predictor& self = need(predictor, "predictor").predictor;
    submit_request(out, options, self.model(),
                   [&](mxinfer_request& request, const mxinfer_submit_options& given, SubmitOptions submit) {
                     const Views<TensorView> views = input_views(self, inputs, input_count);
                     request.prediction = given.copy_inputs != 0
                                              ? self.predict_async(copies_of(self, views.span()), submit)
                                              : self.predict_async(TensorViews(views.span()), submit);
                   });
  });
}

mxinfer_status mxinfer_predictor_submit_flat(const mxinfer_predictor* predictor, const mxinfer_tensor* inputs,
                                             size_t input_count, const mxinfer_submit_options* options,
                                             mxinfer_request** out) {
  return call([&] {
    const Predictor& self = need(predictor, "predictor").predictor;
    submit_request(out, options, self.model(),
                   [&](mxinfer_request& request, const mxinfer_submit_options& given, SubmitOptions submit) {
                     const Views<TensorView> arrays = input_views(self, inputs, input_count);
                     const std::vector<TensorView> views = shape_flat(self, arrays.span());
                     if (given.copy_inputs == 0) {
                       request.prediction = self.predict_async(TensorViews(views), submit);
                       return;
                     }
                     std::vector<Tensor> copies;
                     for (const TensorView& view : views) copies.push_back(Tensor::copy_of(view));
                     request.prediction = self.predict_async(std::move(copies), submit);
                   });
  });
}

mxinfer_status mxinfer_predictor_submit_into(const mxinfer_predictor* predictor, const mxinfer_tensor* inputs,
                                             size_t input_count, const mxinfer_tensor* outputs,
                                             size_t output_count, const mxinfer_submit_options* options,
                                             mxinfer_request** out) {
  return call([&] {
    const Predictor& self = need(predictor, "predictor").predictor;
    submit_request(out, options, std::nullopt,
                   [&](mxinfer_request& request, const mxinfer_submit_options& given, SubmitOptions submit) {
                     if (given.copy_inputs != 0) {
                       throw Error(ErrorCode::unsupported,
                                   "mxinfer_predictor_submit_into borrows its inputs and outputs; leave "
                                   "copy_inputs at 0, or call mxinfer_predictor_submit");
                     }
                     const Views<TensorView> from = input_views(self, inputs, input_count);
                     const Views<MutableTensorView> to = output_views(self, outputs, output_count);
                     request.prediction = self.predict_into_async(from.span(), to.span(), submit);
                   });
  });
}

mxinfer_status mxinfer_classifier_submit(const mxinfer_classifier* classifier, const float* sample,
                                         size_t elements, int32_t top_k,
                                         const mxinfer_submit_options* options, mxinfer_request** out) {
  return submit_to(classifier, "classifier", options, out,
                   [&](const Classifier& self, const SubmitOptions& submitted, bool copies) {
                     const Span<const float> given = need_span(sample, elements, "sample");
                     if (!copies) return self.classify_async(given, top_k_of(top_k), submitted);
                     return self.classify_async(std::vector<float>(given.begin(), given.end()),
                                                top_k_of(top_k), submitted);
                   });
}

mxinfer_status mxinfer_image_classifier_submit_file(const mxinfer_image_classifier* classifier,
                                                    const char* path, int32_t top_k,
                                                    const mxinfer_submit_options* options,
                                                    mxinfer_request** out) {
  return submit_to(classifier, "classifier", options, out,
                   [&](const ImageClassifier& self, const SubmitOptions& submitted, bool) {
                     return self.classify_file_async(need_text(path, "path"), top_k_of(top_k), submitted);
                   });
}

mxinfer_status mxinfer_image_classifier_submit_bytes(const mxinfer_image_classifier* classifier,
                                                     const void* encoded, size_t bytes, int32_t top_k,
                                                     const mxinfer_submit_options* options,
                                                     mxinfer_request** out) {
  return submit_to(classifier, "classifier", options, out,
                   [&](const ImageClassifier& self, const SubmitOptions& submitted, bool copies) {
                     const std::optional<int> wanted = top_k_of(top_k);
                     return copies ? self.classify_bytes_async(copy_bytes(encoded, bytes), wanted, submitted)
                                   : self.classify_bytes_async(encoded_of(encoded, bytes), wanted, submitted);
                   });
}

mxinfer_status mxinfer_image_classifier_submit_image(const mxinfer_image_classifier* classifier,
                                                     const mxinfer_image* image, int32_t top_k,
                                                     const mxinfer_submit_options* options,
                                                     mxinfer_request** out) {
  return submit_to(classifier, "classifier", options, out,
                   [&](const ImageClassifier& self, const SubmitOptions& submitted, bool) {
                     return self.classify_async(image_of(image), top_k_of(top_k), submitted);
                   });
}

mxinfer_status mxinfer_text_classifier_submit(const mxinfer_text_classifier* classifier, const char* text,
                                              int32_t top_k, const mxinfer_submit_options* options,
                                              mxinfer_request** out) {
  return submit_to(classifier, "classifier", options, out,
                   [&](const TextClassifier& self, const SubmitOptions& submitted, bool) {
                     return self.classify_async(need_text(text, "text"), top_k_of(top_k), submitted);
                   });
}

mxinfer_status mxinfer_object_detector_submit_file(const mxinfer_object_detector* detector, const char* path,
                                                   const mxinfer_detect_options* detect,
                                                   const mxinfer_submit_options* options,
                                                   mxinfer_request** out) {
  return submit_to(detector, "detector", options, out,
                   [&](const ObjectDetector& self, const SubmitOptions& submitted, bool) {
                     return self.detect_file_async(need_text(path, "path"), detect_options_of(detect),
                                                   submitted);
                   });
}

mxinfer_status mxinfer_object_detector_submit_bytes(const mxinfer_object_detector* detector,
                                                    const void* encoded, size_t bytes,
                                                    const mxinfer_detect_options* detect,
                                                    const mxinfer_submit_options* options,
                                                    mxinfer_request** out) {
  return submit_to(detector, "detector", options, out,
                   [&](const ObjectDetector& self, const SubmitOptions& submitted, bool copies) {
                     const DetectOptions wanted = detect_options_of(detect);
                     return copies ? self.detect_bytes_async(copy_bytes(encoded, bytes), wanted, submitted)
                                   : self.detect_bytes_async(encoded_of(encoded, bytes), wanted, submitted);
                   });
}

mxinfer_status mxinfer_object_detector_submit_image(const mxinfer_object_detector* detector,
                                                    const mxinfer_image* image,
                                                    const mxinfer_detect_options* detect,
                                                    const mxinfer_submit_options* options,
                                                    mxinfer_request** out) {
  return submit_to(detector, "detector", options, out,
                   [&](const ObjectDetector& self, const SubmitOptions& submitted, bool) {
                     return self.detect_async(image_of(image), detect_options_of(detect), submitted);
                   });
}

mxinfer_status mxinfer_image_segmenter_submit_file(const mxinfer_image_segmenter* segmenter, const char* path,
                                                   const mxinfer_segment_options* segment,
                                                   const mxinfer_submit_options* options,
                                                   mxinfer_request** out) {
  return submit_to(segmenter, "segmenter", options, out,
                   [&](const ImageSegmenter& self, const SubmitOptions& submitted, bool) {
                     return self.segment_file_async(need_text(path, "path"), segment_options_of(segment),
                                                    submitted);
                   });
}

mxinfer_status mxinfer_image_segmenter_submit_image(const mxinfer_image_segmenter* segmenter,
                                                    const mxinfer_image* image,
                                                    const mxinfer_segment_options* segment,
                                                    const mxinfer_submit_options* options,
                                                    mxinfer_request** out) {
  return submit_to(segmenter, "segmenter", options, out,
                   [&](const ImageSegmenter& self, const SubmitOptions& submitted, bool) {
                     return self.segment_async(image_of(image), segment_options_of(segment), submitted);
                   });
}

mxinfer_status mxinfer_sequence_predictor_submit_ids(const mxinfer_sequence_predictor* predictor,
                                                     const int32_t* ids, size_t count,
                                                     const mxinfer_submit_options* options,
                                                     mxinfer_request** out) {
  return call([&] {
    const SequencePredictor& self = need(predictor, "predictor").predictor;
    const Span<const std::int32_t> given = need_span(ids, count, "ids");
    submit_request(out, options, self.model(),
                   [&](mxinfer_request& request, const mxinfer_submit_options&, SubmitOptions submit) {
                     request.prediction = self.predict_sequence_async({given.begin(), given.end()}, submit);
                   });
  });
}
