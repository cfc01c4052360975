// All of mxinfer for C: run Apache MXNet models without MXNet.
//
//   mxinfer_image_classifier* classifier = NULL;
//   mxinfer_classes* best = NULL;
//   if (mxinfer_image_classifier_open("models/digits", NULL, &classifier) != MXINFER_OK ||
//       mxinfer_image_classifier_classify_file(classifier, "seven.jpg", 5, &best) != MXINFER_OK)
//     fprintf(stderr, "%s\n", mxinfer_last_error());
//
// The rules of all functions:
//  - What can fail returns an mxinfer_status: MXINFER_OK, or a code whose message is mxinfer_last_error() of
//    the same thread. What is written through pointers is then left as it was. No exception leaves the library.
//  - Handles are opaque. What a function puts into `out` is the caller's, who frees it with the function of
//  its
//    type; that takes NULL. What a function returns otherwise is borrowed from its first argument.
//  - Texts are UTF-8 that ends in 0. Those of the caller are read during the call alone.
//  - Structs begin with struct_size, which the caller sets to sizeof of the struct: a later version may add
//    members at the end, and does not touch them for a program that does not know them. All elements of an
//    array of structs have one struct_size, that of the first.
//  - Any number of threads may use one model, predictor, classifier or detector; results, options and
//  requests
//    are for one thread at a time.
#ifndef MXINFER_C_H
#define MXINFER_C_H

#include <mxinfer_c/async.h>
#include <mxinfer_c/classifier.h>
#include <mxinfer_c/image_classifier.h>
#include <mxinfer_c/log.h>
#include <mxinfer_c/metrics.h>
#include <mxinfer_c/model.h>
#include <mxinfer_c/object_detector.h>
#include <mxinfer_c/options.h>
#include <mxinfer_c/predictor.h>
#include <mxinfer_c/status.h>
#include <mxinfer_c/tensor.h>
#include <mxinfer_c/text_classifier.h>
#include <mxinfer_c/version.h>

#endif
