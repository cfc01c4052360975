// Classes and detections as the whole numbers that Unpack.java reads: for each sample or image its status and
// how many there are; for each of these its index and the bits of its floats.
#pragma once

#include <jni.h>
#include <mxinfer_c.h>

#include "support.h"

namespace mxinfer::jni {

/// Frees the classes. `messages` gets those of items that were wrong; NULL: there are no such items.
jintArray take(JNIEnv* env, mxinfer_classes* classes, jobjectArray messages = nullptr);
jintArray take(JNIEnv* env, mxinfer_detections* detections, jobjectArray messages = nullptr);

/// Without freeing them.
jintArray numbers_of(JNIEnv* env, const mxinfer_detections* detections, jobjectArray messages = nullptr);
/// The best classes of a report, as those of one sample.
jintArray best_of(JNIEnv* env, const mxinfer_detect_report* report);

}  // namespace mxinfer::jni
