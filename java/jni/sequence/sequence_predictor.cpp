// Predictors of sequences, and the bucketed models that they take.
#include <mxinfer/sequence/bucketed_model.h>
#include <mxinfer/sequence/sequence_predictor.h>

#include <string>
#include <utility>
#include <vector>

#include "c_api/sequence/handles.h"
#include "handles.h"
#include "org_mxinfer_Native.h"
#include "org_mxinfer_NativeSequence.h"
#include "requests.h"
#include "sequence/sequence_options.h"
#include "support.h"
#include "values.h"

using namespace mxinfer::jni;
using mxinfer::BucketedModel;
using mxinfer::ItemError;
using mxinfer::SequenceOptions;
using mxinfer::SequencePredictor;
using mxinfer::Settings;
using mxinfer::TensorView;

namespace {

const BucketedModel& buckets_at(jlong address) {
  return *object<const BucketedModel>(address);
}

const SequencePredictor& sequence_at(jlong address) {
  return *object<const SequencePredictor>(address);
}

}  // namespace

jlong Java_org_mxinfer_NativeSequence_loadBuckets(JNIEnv* env, jclass /*type*/, jbyteArray uri,
                                                  jobjectArray texts) {
  return guard(env, [&] {
    const Settings settings = settings_of(Options(env, texts));
    return give(BucketedModel::load(to_string(env, uri), settings.load_options()));
  });
}

jlong Java_org_mxinfer_NativeSequence_bucketsOf(JNIEnv* env, jclass /*type*/, jlongArray keys,
                                                jlongArray models) {
  return guard(env, [&] {
    const std::vector<std::int64_t> lengths = to_int64s(env, keys), addresses = to_int64s(env, models);
    std::vector<std::pair<std::int64_t, mxinfer::Model>> buckets;
    for (std::size_t i = 0; i < lengths.size(); ++i)
      buckets.emplace_back(lengths[i], model_at(addresses.at(i)));
    return give(BucketedModel(std::move(buckets)));
  });
}

void Java_org_mxinfer_NativeSequence_freeBuckets(JNIEnv* /*env*/, jclass /*type*/, jlong buckets) {
  delete object<BucketedModel>(buckets);
}

jlongArray Java_org_mxinfer_NativeSequence_bucketKeys(JNIEnv* env, jclass /*type*/, jlong buckets) {
  return guard(env, [&] {
    const std::vector<std::int64_t>& keys = buckets_at(buckets).keys();
    return to_longs(env, {keys.begin(), keys.end()});
  });
}

jlong Java_org_mxinfer_NativeSequence_bucketModel(JNIEnv* env, jclass /*type*/, jlong buckets, jlong key) {
  return guard(env, [&] { return address_of(new mxinfer_model(buckets_at(buckets).model(key))); });
}

jbyteArray Java_org_mxinfer_NativeSequence_bucketsName(JNIEnv* env, jclass /*type*/, jlong buckets) {
  return guard(env, [&] { return to_bytes(env, buckets_at(buckets).name()); });
}

jlongArray Java_org_mxinfer_NativeSequence_bucketsMemory(JNIEnv* env, jclass /*type*/, jlong buckets) {
  return guard(env, [&] {
    const mxinfer::ModelMemory memory = buckets_at(buckets).memory();
    return to_longs(
        env, {static_cast<jlong>(memory.stored_weights), static_cast<jlong>(memory.packed_weights), 0, 0, 0});
  });
}

jlong Java_org_mxinfer_NativeSequence_create(JNIEnv* env, jclass /*type*/, jlong model, jlong buckets,
                                             jobjectArray texts, jlongArray lengths, jdoubleArray pad_value,
                                             jint max_batch, jobjectArray states, jboolean cut_outputs,
                                             jobjectArray settings) {
  return guard(env, [&] {
    SequenceOptions options = sequence_options(env, {texts, lengths, pad_value, max_batch});
    options.states = to_states(env, states);
    options.cut_outputs = cut_outputs == JNI_TRUE;
    options.options = settings_of(Options(env, settings)).options();
    return give_derived(buckets != 0 ? SequencePredictor(buckets_at(buckets), options)
                                     : SequencePredictor(model_at(model), options));
  });
}

jlong Java_org_mxinfer_NativeSequence_open(JNIEnv* env, jclass /*type*/, jbyteArray uri, jobjectArray texts,
                                           jlongArray lengths, jdoubleArray pad_value, jint max_batch,
                                           jobjectArray states, jboolean cut_outputs, jobjectArray list) {
  return guard(env, [&] {
    SequenceOptions options = sequence_options(env, {texts, lengths, pad_value, max_batch});
    options.states = to_states(env, states);
    options.cut_outputs = cut_outputs == JNI_TRUE;
    const Settings settings = settings_of(Options(env, list));
    options.options = settings.options();
    return give_derived(SequencePredictor(to_string(env, uri), options, settings.load_options()));
  });
}

jlong Java_org_mxinfer_NativeSequence_sequenceOf(JNIEnv* /*env*/, jclass /*type*/, jint kind, jlong address) {
  const SequencePredictor& sequence =
      kind == org_mxinfer_Native_TEXT_CLASSIFIER
          ? static_cast<const SequencePredictor&>(object<const mxinfer_text_classifier>(address)->classifier)
          : derived_at<SequencePredictor>(address);
  return address_of(&sequence);
}

jlong Java_org_mxinfer_NativeSequence_predictIds(JNIEnv* env, jclass /*type*/, jlong address, jintArray ids) {
  return guard(env, [&] {
    const SequencePredictor& sequence = sequence_at(address);
    const std::vector<std::int32_t> given = to_ids(env, ids);
    return give_tensors(sequence.model(),
                        sequence.predict_sequence(mxinfer::Span<const std::int32_t>(given)));
  });
}

jlong Java_org_mxinfer_NativeSequence_predictTensor(JNIEnv* env, jclass /*type*/, jlong address, jobject data,
                                                    jint dtype, jlongArray shape) {
  return guard(env, [&] {
    const SequencePredictor& sequence = sequence_at(address);
    return give_tensors(sequence.model(), sequence.predict_sequence(direct_view(env, data, dtype, shape)));
  });
}

jlongArray Java_org_mxinfer_NativeSequence_predictIdLists(JNIEnv* env, jclass /*type*/, jlong address,
                                                          jobjectArray ids, jobjectArray messages) {
  return guard(env, [&] {
    const SequencePredictor& sequence = sequence_at(address);
    const std::vector<std::vector<std::int32_t>> given = to_id_lists(env, ids);
    std::vector<ItemError> errors;
    auto outputs = sequence.predict_sequences(given, &errors);
    return from_outputs(env, sequence.model(), std::move(outputs), errors, messages);
  });
}

jlongArray Java_org_mxinfer_NativeSequence_predictTensors(JNIEnv* env, jclass /*type*/, jlong address,
                                                          jobjectArray names, jobjectArray data,
                                                          jintArray dtypes, jobjectArray shapes,
                                                          jintArray counts, jobjectArray messages) {
  return guard(env, [&] {
    const SequencePredictor& sequence = sequence_at(address);
    const Tensors tensors(env, {names, data, dtypes, shapes});
    std::vector<ItemError> errors;
    if (counts == nullptr) {
      auto outputs = sequence.predict_sequences(mxinfer::TensorViews(views_of(tensors)), &errors);
      return from_outputs(env, sequence.model(), std::move(outputs), errors, messages);
    }
    std::vector<mxinfer::NamedViews<TensorView>> named;
    std::size_t first = 0;
    for (const std::int32_t count : to_ids(env, counts)) {
      named.emplace_back(named_views_of(tensors, first, static_cast<std::size_t>(count)));
      first += static_cast<std::size_t>(count);
    }
    auto outputs = sequence.predict_sequences(
        mxinfer::Span<const mxinfer::NamedViews<TensorView>>(named.data(), named.size()), &errors);
    return from_outputs(env, sequence.model(), std::move(outputs), errors, messages);
  });
}

jlong Java_org_mxinfer_NativeSequence_submitIds(JNIEnv* env, jclass /*type*/, jlong address, jintArray ids,
                                                jint priority, jlong timeout) {
  return guard(env, [&] {
    const SequencePredictor& sequence = sequence_at(address);
    return give_prediction(sequence.model(), sequence.predict_sequence_async(
                                                 to_ids(env, ids), submit_options(priority, timeout)));
  });
}

jlongArray Java_org_mxinfer_NativeSequence_buckets(JNIEnv* env, jclass /*type*/, jlong address) {
  return guard(env, [&] {
    const std::vector<std::int64_t>& lengths = sequence_at(address).buckets();
    return to_longs(env, {lengths.begin(), lengths.end()});
  });
}

jlong Java_org_mxinfer_NativeSequence_bucketOf(JNIEnv* env, jclass /*type*/, jlong address, jlong length) {
  return guard(env, [&]() -> jlong { return sequence_at(address).bucket_of(length); });
}

void Java_org_mxinfer_NativeSequence_warmupBuckets(JNIEnv* env, jclass /*type*/, jlong address) {
  guard(env, [&] { sequence_at(address).warmup_buckets(); });
}
