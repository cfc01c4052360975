// All of mxinfer for C: run Apache MXNet models without MXNet.
//
//   mxinfer_image_classifier* classifier = NULL;
//   mxinfer_classes* best = NULL;
//   if (mxinfer_image_classifier_open("models/digits", NULL, &classifier) != MXINFER_OK ||
//       mxinfer_image_classifier_classify_file(classifier, "seven.jpg", 5, &best) != MXINFER_OK)
//     fprintf(stderr, "%s\n", mxinfer_last_error());
//
// The rules of all functions:
//  - A function that can fail returns an mxinfer_status: MXINFER_OK, or a code, whose message
//    mxinfer_last_error() returns on the same thread. After an error, what the pointer arguments point to is
//    unchanged. No exception leaves the library.
//  - Handles are opaque. You own a handle that a function writes to `out`. Free it with the function of its
//    type, which accepts NULL. A pointer that a function returns is borrowed from its first argument.
//  - Texts are UTF-8 and end in 0. The library reads your texts only during the call.
//  - Structs begin with struct_size, which you set to sizeof of the struct. A later version may add members
//    at the end, and does not touch them for a program that does not know them. All elements of an array of
//    structs have the same struct_size, that of the first.
//  - Any number of threads may use one model, predictor, classifier, detector, segmenter, embedder,
//    vocabulary, tokenizer, set of word vectors or generator. Use results, options, requests, sessions and
//    generations on one thread at a time.
#ifndef MXINFER_C_H
#define MXINFER_C_H

#include <mxinfer_c/async.h>
#include <mxinfer_c/bucketed_model.h>
#include <mxinfer_c/classifier.h>
#include <mxinfer_c/ctc.h>
#include <mxinfer_c/draw.h>
#include <mxinfer_c/faces.h>
#include <mxinfer_c/generator.h>
#include <mxinfer_c/image.h>
#include <mxinfer_c/image_classifier.h>
#include <mxinfer_c/image_segmenter.h>
#include <mxinfer_c/keypoint_detector.h>
#include <mxinfer_c/log.h>
#include <mxinfer_c/metrics.h>
#include <mxinfer_c/model.h>
#include <mxinfer_c/object_detector.h>
#include <mxinfer_c/options.h>
#include <mxinfer_c/predictor.h>
#include <mxinfer_c/sequence_predictor.h>
#include <mxinfer_c/session.h>
#include <mxinfer_c/status.h>
#include <mxinfer_c/tensor.h>
#include <mxinfer_c/text_classifier.h>
#include <mxinfer_c/texts.h>
#include <mxinfer_c/tokenizer.h>
#include <mxinfer_c/version.h>
#include <mxinfer_c/vocabulary.h>
#include <mxinfer_c/word_vectors.h>

#endif
