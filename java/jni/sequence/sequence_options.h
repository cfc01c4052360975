// How sequences become batches, from the lists that SequenceOptions.java and TextOptions.java make.
#pragma once

#include <jni.h>
#include <mxinfer/sequence/sequence_options.h>

#include <vector>

namespace mxinfer::jni {

struct SequenceLists {
  jobjectArray texts;
  jlongArray buckets;
  jdoubleArray pad_value;
  jint max_batch;
};

/// Those that are not set are open. The settings are for the caller to add.
SequenceOptions sequence_options(JNIEnv* env, const SequenceLists& lists);
/// Of names of inputs and outputs in turn.
std::vector<StateNames> to_states(JNIEnv* env, jobjectArray names);

}  // namespace mxinfer::jni
