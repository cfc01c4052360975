// Generators, and sequences that are being generated.
#include <mxinfer/sequence/generator.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "handles.h"
#include "org_mxinfer_NativeSequence.h"
#include "sequence/sequence_options.h"
#include "support.h"
#include "values.h"

using namespace mxinfer::jni;
using mxinfer::Generated;
using mxinfer::GenerateOptions;
using mxinfer::Generation;
using mxinfer::GeneratorOptions;
using mxinfer::SequenceGenerator;
using mxinfer::Settings;

namespace {

using Ids = std::vector<std::int32_t>;

const SequenceGenerator& generator_at(jlong address) {
  return derived_at<SequenceGenerator>(address);
}

/// A stop function of Java. What it throws ends the sequence, and is thrown by the call that generates.
class StopCall {
 public:
  /// The calling thread's; set for each call that may call back.
  JNIEnv* env = nullptr;

  StopCall(JNIEnv* of, jobject function) : env(of), function_(of->NewGlobalRef(function)) {
    if (function_ == nullptr) throw std::bad_alloc();
  }
  ~StopCall() {
    env->DeleteGlobalRef(function_);
    if (thrown_ != nullptr) env->DeleteGlobalRef(thrown_);
  }
  StopCall(const StopCall&) = delete;
  StopCall& operator=(const StopCall&) = delete;

  bool call(mxinfer::Span<const std::int32_t> ids) {
    try {
      const ScratchAside aside;
      const LocalRef<jclass> type(env, env->FindClass("org/mxinfer/NativeSequence"));
      const jmethodID stops = env->GetStaticMethodID(type.get(), "stops", "(Ljava/lang/Object;[I)Z");
      check_java(env);
      const LocalRef<jintArray> list(env, to_ints(env, {ids.begin(), ids.end()}));
      const jboolean ends = env->CallStaticBooleanMethod(type.get(), stops, function_, list.get());
      check_java(env);
      return ends == JNI_TRUE;
    } catch (const JavaThrown&) {
      jthrowable thrown = env->ExceptionOccurred();
      env->ExceptionClear();
      if (thrown_ == nullptr) thrown_ = static_cast<jthrowable>(env->NewGlobalRef(thrown));
      env->DeleteLocalRef(thrown);
      return true;
    }
  }

  void rethrow() {
    if (thrown_ == nullptr) return;
    env->Throw(thrown_);
    env->DeleteGlobalRef(std::exchange(thrown_, nullptr));
    throw JavaThrown{};
  }

 private:
  jobject function_;
  jthrowable thrown_ = nullptr;
};

/// The arguments that stand for GenerateOptions.java.
struct ChoiceLists {
  jintArray numbers;
  jfloatArray floats;
  jlong seed;
  jintArray stop_ids;
  jobject stop;
};

/// The options of one call, and what they hold.
struct Choices {
  Choices(JNIEnv* env, const ChoiceLists& lists, const Tensors& inputs) {
    const std::vector<std::int32_t> numbers = to_ids(env, lists.numbers);
    const std::vector<float> floats = to_floats(env, lists.floats);
    options.search = static_cast<mxinfer::Search>(numbers.at(0));
    options.max_length = numbers.at(1);
    options.num_sequences = numbers.at(2);
    options.beam = numbers.at(3);
    options.top_k = numbers.at(4);
    options.alpha = floats.at(0);
    options.length_k = floats.at(1);
    options.temperature = floats.at(2);
    options.top_p = floats.at(3);
    options.repetition_penalty = floats.at(4);
    options.seed = static_cast<std::uint64_t>(lists.seed);
    options.stop_ids = to_ids(env, lists.stop_ids);
    options.inputs = named_views_of(inputs, 0, inputs.size());
    if (lists.stop == nullptr) return;
    stop = std::make_shared<StopCall>(env, lists.stop);
    options.stop = [held = stop](mxinfer::Span<const std::int32_t> ids) { return held->call(ids); };
  }

  GenerateOptions options{};
  std::shared_ptr<StopCall> stop{};
};

GeneratorOptions generator_options(JNIEnv* env, jobjectArray texts, jint step, jint scores,
                                   jobjectArray states, jlongArray buckets, jdouble pad_value,
                                   jlong vocabulary, jlong tokenizer, jintArray ids) {
  GeneratorOptions options;
  options.token_input = text_at(env, texts, org_mxinfer_NativeSequence_TOKEN_INPUT).value_or("");
  options.token_layout = text_at(env, texts, org_mxinfer_NativeSequence_TOKEN_LAYOUT).value_or("");
  options.score_output = text_at(env, texts, org_mxinfer_NativeSequence_SCORE_OUTPUT).value_or("");
  options.position_input = text_at(env, texts, org_mxinfer_NativeSequence_POSITION_INPUT).value_or("");
  options.length_input = text_at(env, texts, org_mxinfer_NativeSequence_GENERATOR_LENGTH_INPUT).value_or("");
  options.step = static_cast<mxinfer::StepKind>(step);
  options.scores = static_cast<mxinfer::ScoreKind>(scores);
  options.states = to_states(env, states);
  options.buckets = to_int64s(env, buckets);
  options.pad_value = pad_value;
  if (vocabulary != 0) options.vocabulary = *object<const mxinfer::Vocabulary>(vocabulary);
  if (tokenizer != 0) options.tokenizer = *object<const mxinfer::Tokenizer>(tokenizer);
  const Ids special = to_ids(env, ids);
  if (special.at(0) != org_mxinfer_NativeSequence_OPEN) options.begin_id = special[0];
  if (special.at(1) != org_mxinfer_NativeSequence_OPEN) options.end_id = special[1];
  return options;
}

/// Four objects for each sequence, as NativeSequence.generate() says.
jobjectArray to_java(JNIEnv* env, const std::vector<Generated>& sequences) {
  constexpr jsize kObjects = 4;
  const LocalRef<jclass> type(env, env->FindClass("java/lang/Object"));
  jobjectArray objects =
      env->NewObjectArray(static_cast<jsize>(sequences.size()) * kObjects, type.get(), nullptr);
  check_java(env);
  jsize at = 0;
  for (const Generated& made : sequences) {
    const LocalRef<jintArray> ids(env, to_ints(env, made.ids));
    const LocalRef<jbyteArray> text(env, to_bytes(env, made.text));
    const LocalRef<jdoubleArray> numbers(env, from_doubles(env, {made.score, made.log_probability}));
    const LocalRef<jintArray> end(
        env, to_ints(env, {static_cast<jint>(made.finish), made.end_id ? 1 : 0, made.end_id.value_or(0)}));
    for (jobject each : {static_cast<jobject>(ids.get()), static_cast<jobject>(text.get()),
                         static_cast<jobject>(numbers.get()), static_cast<jobject>(end.get())})
      env->SetObjectArrayElement(objects, at++, each);
  }
  return objects;
}

jobjectArray to_java(JNIEnv* env, const std::vector<std::vector<Generated>>& lists) {
  const LocalRef<jclass> type(env, env->FindClass("[Ljava/lang/Object;"));
  jobjectArray all = env->NewObjectArray(static_cast<jsize>(lists.size()), type.get(), nullptr);
  check_java(env);
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const LocalRef<jobjectArray> sequences(env, to_java(env, lists[i]));
    env->SetObjectArrayElement(all, static_cast<jsize>(i), sequences.get());
  }
  return all;
}

/// A generation that threads share: Generation.java has them wait for one another.
struct SharedGeneration {
  Generation generation;
  std::shared_ptr<StopCall> stop;
};

}  // namespace

jlong Java_org_mxinfer_NativeSequence_createGenerator(JNIEnv* env, jclass /*type*/, jlong model,
                                                      jbyteArray uri, jobjectArray texts, jint step,
                                                      jint scores, jobjectArray states, jlongArray buckets,
                                                      jdouble pad_value, jlong vocabulary, jlong tokenizer,
                                                      jintArray ids, jobjectArray list) {
  return guard(env, [&] {
    GeneratorOptions options =
        generator_options(env, texts, step, scores, states, buckets, pad_value, vocabulary, tokenizer, ids);
    const Settings settings = settings_of(Options(env, list));
    options.options = settings.options();
    return give_derived(uri != nullptr
                            ? SequenceGenerator(to_string(env, uri), options, settings.load_options())
                            : SequenceGenerator(model_at(model), options));
  });
}

jobjectArray Java_org_mxinfer_NativeSequence_generate(JNIEnv* env, jclass /*type*/, jlong address,
                                                      jobjectArray ids, jobjectArray texts, jboolean is_batch,
                                                      jintArray numbers, jfloatArray floats, jlong seed,
                                                      jintArray stop_ids, jobject stop, jobjectArray names,
                                                      jobjectArray data, jintArray dtypes,
                                                      jobjectArray shapes) {
  return guard(env, [&] {
    const SequenceGenerator& generator = generator_at(address);
    const Tensors inputs(env, {names, data, dtypes, shapes});
    const Choices choices(env, {numbers, floats, seed, stop_ids, stop}, inputs);
    std::vector<std::vector<Generated>> made;
    if (ids != nullptr) {
      const std::vector<Ids> prompts = to_id_lists(env, ids);
      if (is_batch == JNI_TRUE) {
        made = generator.generate_batch(prompts, choices.options);
      } else {
        made.push_back(generator.generate(prompts.at(0), choices.options));
      }
    } else {
      const std::vector<std::string> prompts = to_strings(env, texts);
      if (is_batch == JNI_TRUE) {
        made = generator.generate_texts(prompts, choices.options);
      } else {
        made.push_back(generator.generate_text(prompts.at(0), choices.options));
      }
    }
    if (choices.stop != nullptr) choices.stop->rethrow();
    return to_java(env, made);
  });
}

jlong Java_org_mxinfer_NativeSequence_start(JNIEnv* env, jclass /*type*/, jlong address, jintArray ids,
                                            jbyteArray text, jintArray numbers, jfloatArray floats,
                                            jlong seed, jintArray stop_ids, jobject stop, jobjectArray names,
                                            jobjectArray data, jintArray dtypes, jobjectArray shapes) {
  return guard(env, [&] {
    const SequenceGenerator& generator = generator_at(address);
    const Tensors inputs(env, {names, data, dtypes, shapes});
    const Choices choices(env, {numbers, floats, seed, stop_ids, stop}, inputs);
    return address_of(new SharedGeneration{ids != nullptr
                                               ? generator.start(to_ids(env, ids), choices.options)
                                               : generator.start_text(to_string(env, text), choices.options),
                                           choices.stop});
  });
}

void Java_org_mxinfer_NativeSequence_freeGeneration(JNIEnv* env, jclass /*type*/, jlong address) {
  auto* const shared = object<SharedGeneration>(address);
  if (shared->stop != nullptr) shared->stop->env = env;
  delete shared;
}

jint Java_org_mxinfer_NativeSequence_next(JNIEnv* env, jclass /*type*/, jlong address, jobjectArray piece) {
  return guard(env, [&] {
    auto& shared = *object<SharedGeneration>(address);
    if (shared.stop != nullptr) shared.stop->env = env;
    const std::optional<std::int32_t> id = shared.generation.next();
    if (shared.stop != nullptr) shared.stop->rethrow();
    const LocalRef<jbyteArray> text(env, to_bytes(env, shared.generation.piece()));
    env->SetObjectArrayElement(piece, 0, text.get());
    return id.value_or(-1);
  });
}

jobjectArray Java_org_mxinfer_NativeSequence_result(JNIEnv* env, jclass /*type*/, jlong address) {
  return guard(env, [&] { return to_java(env, {object<SharedGeneration>(address)->generation.result()}); });
}

jintArray Java_org_mxinfer_NativeSequence_generatorIds(JNIEnv* env, jclass /*type*/, jlong address,
                                                       jbyteArray text) {
  return guard(env, [&] { return to_ints(env, generator_at(address).ids(to_string(env, text))); });
}

jbyteArray Java_org_mxinfer_NativeSequence_generatorText(JNIEnv* env, jclass /*type*/, jlong address,
                                                         jintArray ids) {
  return guard(env, [&] { return to_bytes(env, generator_at(address).text(to_ids(env, ids))); });
}

jlong Java_org_mxinfer_NativeSequence_generatorVocabulary(JNIEnv* env, jclass /*type*/, jlong address) {
  return guard(env, [&] { return give(mxinfer::Vocabulary(generator_at(address).vocabulary())); });
}

jobjectArray Java_org_mxinfer_NativeSequence_found(JNIEnv* env, jclass /*type*/, jlong address) {
  return guard(env, [&] {
    const GeneratorOptions& found = generator_at(address).found();
    std::vector<std::string> states;
    for (const mxinfer::StateNames& state : found.states)
      states.insert(states.end(), {state.input, state.output});
    return from_objects(env,
                        {from_texts(env, {found.token_input, found.token_layout, found.score_output,
                                          found.position_input, found.length_input}),
                         from_texts(env, states), to_longs(env, {found.buckets.begin(), found.buckets.end()}),
                         to_ints(env, {static_cast<jint>(found.step), static_cast<jint>(found.scores),
                                       found.begin_id.value_or(org_mxinfer_NativeSequence_OPEN),
                                       found.end_id.value_or(org_mxinfer_NativeSequence_OPEN)}),
                         from_doubles(env, {found.pad_value})});
  });
}
