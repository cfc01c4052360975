// All of mxinfer: run Apache MXNet models without MXNet.
//
//   #include <mxinfer/mxinfer.h>
//
//   mxinfer::ImageClassifier classifier("models/digits");
//   for (const auto& [label, score, index] : classifier.classify_file("seven.jpg", 5)) {
//     std::cout << label << ' ' << score << '\n';
//   }
#pragma once

#include <mxinfer/activation.h>
#include <mxinfer/bundle.h>
#include <mxinfer/byte_source.h>
#include <mxinfer/byte_span.h>
#include <mxinfer/classifier.h>
#include <mxinfer/detections.h>
#include <mxinfer/device.h>
#include <mxinfer/dtype.h>
#include <mxinfer/error.h>
#include <mxinfer/image.h>
#include <mxinfer/image_classifier.h>
#include <mxinfer/inspect.h>
#include <mxinfer/log.h>
#include <mxinfer/model.h>
#include <mxinfer/model_builder.h>
#include <mxinfer/named_views.h>
#include <mxinfer/nms.h>
#include <mxinfer/object_detector.h>
#include <mxinfer/options.h>
#include <mxinfer/plan_info.h>
#include <mxinfer/predictor.h>
#include <mxinfer/predictor_stats.h>
#include <mxinfer/preprocess.h>
#include <mxinfer/shape.h>
#include <mxinfer/sign.h>
#include <mxinfer/signature.h>
#include <mxinfer/span.h>
#include <mxinfer/step_times.h>
#include <mxinfer/tensor.h>
#include <mxinfer/tune.h>
#include <mxinfer/tuning.h>
#include <mxinfer/verify.h>
#include <mxinfer/version.h>
#include <mxinfer/view_list.h>
