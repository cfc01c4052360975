// Includes every header of mxinfer, which runs Apache MXNet models without MXNet.
//
//   #include <mxinfer/mxinfer.h>
//
//   mxinfer::ImageClassifier classifier("models/digits");
//   for (const auto& [label, score, index] : classifier.classify_file("seven.jpg", 5)) {
//     std::cout << label << ' ' << score << '\n';
//   }
#pragma once

#include <mxinfer/activation.h>
#include <mxinfer/async/async_options.h>
#include <mxinfer/async/call_metrics.h>
#include <mxinfer/async/completion_queue.h>
#include <mxinfer/async/prediction.h>
#include <mxinfer/async/request_queue.h>
#include <mxinfer/byte_source.h>
#include <mxinfer/byte_span.h>
#include <mxinfer/classifier.h>
#include <mxinfer/device.h>
#include <mxinfer/dtype.h>
#include <mxinfer/error.h>
#include <mxinfer/item_error.h>
#include <mxinfer/load_options.h>
#include <mxinfer/log.h>
#include <mxinfer/memory_use.h>
#include <mxinfer/model.h>
#include <mxinfer/named_views.h>
#include <mxinfer/options.h>
#include <mxinfer/plan_info.h>
#include <mxinfer/predictor.h>
#include <mxinfer/predictor_stats.h>
#include <mxinfer/remote_options.h>
#include <mxinfer/sequence/bucketed_model.h>
#include <mxinfer/sequence/ctc.h>
#include <mxinfer/sequence/generate_options.h>
#include <mxinfer/sequence/generator.h>
#include <mxinfer/sequence/sequence_options.h>
#include <mxinfer/sequence/sequence_predictor.h>
#include <mxinfer/sequence/session.h>
#include <mxinfer/sequence/side.h>
#include <mxinfer/sequence/text_classifier.h>
#include <mxinfer/sequence/tokenizer.h>
#include <mxinfer/sequence/vocabulary.h>
#include <mxinfer/sequence/word_vectors.h>
#include <mxinfer/settings.h>
#include <mxinfer/shape.h>
#include <mxinfer/signature.h>
#include <mxinfer/span.h>
#include <mxinfer/table/table_predictor.h>
#include <mxinfer/tensor.h>
#include <mxinfer/tools/arrays.h>
#include <mxinfer/tools/bundle.h>
#include <mxinfer/tools/calibration_method.h>
#include <mxinfer/tools/inspect.h>
#include <mxinfer/tools/model_builder.h>
#include <mxinfer/tools/quantize.h>
#include <mxinfer/tools/remote_files.h>
#include <mxinfer/tools/sign.h>
#include <mxinfer/tools/step_times.h>
#include <mxinfer/tools/stepwise_run.h>
#include <mxinfer/tools/transforms.h>
#include <mxinfer/tools/tune.h>
#include <mxinfer/tools/verify.h>
#include <mxinfer/tuning.h>
#include <mxinfer/version.h>
#include <mxinfer/view_list.h>
#include <mxinfer/vision/detect_options.h>
#include <mxinfer/vision/detect_report.h>
#include <mxinfer/vision/detections.h>
#include <mxinfer/vision/draw.h>
#include <mxinfer/vision/encode.h>
#include <mxinfer/vision/face.h>
#include <mxinfer/vision/face_embedder.h>
#include <mxinfer/vision/image.h>
#include <mxinfer/vision/image_classifier.h>
#include <mxinfer/vision/image_segmenter.h>
#include <mxinfer/vision/keypoint_detector.h>
#include <mxinfer/vision/label_image.h>
#include <mxinfer/vision/nms.h>
#include <mxinfer/vision/object_detector.h>
#include <mxinfer/vision/point.h>
#include <mxinfer/vision/pose.h>
#include <mxinfer/vision/preprocess.h>
