#include "values.h"

#include <memory>
#include <utility>

#include "handles.h"

namespace mxinfer::jni {
namespace {

std::size_t length_of(JNIEnv* env, jarray array) {
  return array == nullptr ? 0 : static_cast<std::size_t>(env->GetArrayLength(array));
}

template <typename T>
std::vector<T> to_numbers(JNIEnv* env, jarray array) {
  std::vector<T> numbers(length_of(env, array));
  copy_array(env, array, numbers.data(), numbers.size() * sizeof(T));
  return numbers;
}

}  // namespace

std::vector<std::int32_t> to_ids(JNIEnv* env, jintArray ids) {
  return to_numbers<std::int32_t>(env, ids);
}

std::vector<std::vector<std::int32_t>> to_id_lists(JNIEnv* env, jobjectArray lists) {
  std::vector<std::vector<std::int32_t>> all(length_of(env, lists));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const LocalRef<jintArray> ids(env, env->GetObjectArrayElement(lists, static_cast<jsize>(i)));
    all[i] = to_ids(env, ids.get());
  }
  return all;
}

std::vector<std::int64_t> to_int64s(JNIEnv* env, jlongArray numbers) {
  return to_numbers<std::int64_t>(env, numbers);
}

std::vector<float> to_floats(JNIEnv* env, jfloatArray numbers) {
  return to_numbers<float>(env, numbers);
}

std::vector<double> to_doubles(JNIEnv* env, jdoubleArray numbers) {
  return to_numbers<double>(env, numbers);
}

std::optional<std::string> to_text(JNIEnv* env, jbyteArray text) {
  if (text == nullptr) return std::nullopt;
  return to_string(env, text);
}

std::optional<std::string> text_at(JNIEnv* env, jobjectArray texts, jsize index) {
  const LocalRef<jbyteArray> text(env, env->GetObjectArrayElement(texts, index));
  return to_text(env, text.get());
}

jfloatArray from_floats(JNIEnv* env, Span<const float> numbers) {
  const auto count = static_cast<jsize>(numbers.size());
  jfloatArray array = env->NewFloatArray(count);
  check_java(env);
  env->SetFloatArrayRegion(array, 0, count, numbers.data());
  return array;
}

jdoubleArray from_doubles(JNIEnv* env, const std::vector<double>& numbers) {
  const auto count = static_cast<jsize>(numbers.size());
  jdoubleArray array = env->NewDoubleArray(count);
  check_java(env);
  env->SetDoubleArrayRegion(array, 0, count, numbers.data());
  return array;
}

jobjectArray from_texts(JNIEnv* env, const std::vector<std::string>& texts) {
  const LocalRef<jclass> type(env, env->FindClass("[B"));
  jobjectArray array = env->NewObjectArray(static_cast<jsize>(texts.size()), type.get(), nullptr);
  check_java(env);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const LocalRef<jbyteArray> text(env, to_bytes(env, texts[i]));
    env->SetObjectArrayElement(array, static_cast<jsize>(i), text.get());
  }
  return array;
}

jobjectArray from_objects(JNIEnv* env, std::initializer_list<jobject> objects) {
  const LocalRef<jclass> type(env, env->FindClass("java/lang/Object"));
  jobjectArray array = env->NewObjectArray(static_cast<jsize>(objects.size()), type.get(), nullptr);
  check_java(env);
  jsize next = 0;
  for (jobject object : objects) {
    env->SetObjectArrayElement(array, next++, object);
    env->DeleteLocalRef(object);
  }
  return array;
}

// An array of no elements is one that is there.
TensorView view_of(const mxinfer_tensor& tensor) {
  static const double none = 0;
  const Shape shape(Span<const std::int64_t>(tensor.shape, static_cast<std::size_t>(tensor.rank)));
  return {static_cast<DType>(tensor.dtype), shape, tensor.data != nullptr ? tensor.data : &none};
}

TensorView direct_view(JNIEnv* env, jobject data, jint dtype, jlongArray shape) {
  const std::vector<std::int64_t> dims = to_int64s(env, shape);
  mxinfer_tensor tensor{};
  tensor.data = env->GetDirectBufferAddress(data);
  tensor.shape = dims.data();
  tensor.rank = static_cast<std::int32_t>(dims.size());
  tensor.dtype = dtype;
  return view_of(tensor);
}

std::vector<TensorView> views_of(const Tensors& tensors) {
  std::vector<TensorView> views;
  for (std::size_t i = 0; i < tensors.size(); ++i) views.push_back(view_of(tensors.data()[i]));
  return views;
}

std::map<std::string, TensorView> named_views_of(const Tensors& tensors, std::size_t first,
                                                 std::size_t count) {
  std::map<std::string, TensorView> views;
  for (std::size_t i = first; i < first + count; ++i) {
    const mxinfer_tensor& tensor = tensors.data()[i];
    views.emplace(tensor.name == nullptr ? "" : tensor.name, view_of(tensor));
  }
  return views;
}

std::vector<jint> statuses_of(JNIEnv* env, const std::vector<ItemError>& errors, jobjectArray messages) {
  std::vector<jint> statuses(length_of(env, messages), MXINFER_OK);
  for (const ItemError& error : errors) {
    statuses.at(error.item) = status_of(error.error.code());
    const LocalRef<jbyteArray> message(env, to_bytes(env, error.error.what()));
    env->SetObjectArrayElement(messages, static_cast<jsize>(error.item), message.get());
  }
  return statuses;
}

jlongArray from_outputs(JNIEnv* env, const Model& model, std::vector<std::vector<Tensor>> outputs,
                        const std::vector<ItemError>& errors, jobjectArray messages) {
  const std::vector<jint> statuses = statuses_of(env, errors, messages);
  std::vector<std::unique_ptr<mxinfer_tensors>> owned;
  std::vector<jlong> numbers;
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    if (statuses[i] == MXINFER_OK)
      owned.emplace_back(new mxinfer_tensors{model, std::move(outputs.at(i)), {}});
    numbers.push_back(statuses[i]);
    numbers.push_back(statuses[i] == MXINFER_OK ? address_of(owned.back().get()) : 0);
  }
  jlongArray array = to_longs(env, numbers);
  for (std::unique_ptr<mxinfer_tensors>& tensors : owned) (void)tensors.release();  // they are Java's now
  return array;
}

}  // namespace mxinfer::jni
