#include "tensors.h"

#include <cstdint>

#include "org_mxinfer_Native.h"

namespace mxinfer::jni {
namespace {

static_assert(sizeof(jlong) == sizeof(std::int64_t));

constexpr std::size_t kAlignment = 64;

std::size_t aligned(std::size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace

Tensors::Tensors(JNIEnv* env, const TensorLists& lists)
    : Tensors(env, lists.names, lists.dtypes, lists.shapes) {
  read_data(env, lists.data);
}

Tensors::Tensors(JNIEnv* env, jobjectArray names, jintArray dtypes, jobjectArray shapes) {
  const auto count = static_cast<std::size_t>(env->GetArrayLength(shapes));
  std::vector<jint> numbers(count);
  env->GetIntArrayRegion(dtypes, 0, static_cast<jsize>(count), numbers.data());
  check_java(env);
  tensors_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    tensors_[i].struct_size = sizeof(mxinfer_tensor);
    tensors_[i].dtype = numbers[i];
  }
  if (names != nullptr) read_names(env, names);
  read_shapes(env, shapes);
}

void Tensors::read_names(JNIEnv* env, jobjectArray names) {
  names_.reserve(tensors_.size());
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    const LocalRef<jbyteArray> name(env, env->GetObjectArrayElement(names, static_cast<jsize>(i)));
    names_.push_back(to_string(env, name.get()));
    if (name.get() != nullptr) tensors_[i].name = names_.back().c_str();
  }
}

void Tensors::read_shapes(JNIEnv* env, jobjectArray shapes) {
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    const LocalRef<jlongArray> shape(env, env->GetObjectArrayElement(shapes, static_cast<jsize>(i)));
    const jsize rank = env->GetArrayLength(shape.get());
    const std::size_t first = dims_.size();
    dims_.resize(first + static_cast<std::size_t>(rank));
    env->GetLongArrayRegion(shape.get(), 0, rank, dims_.data() + first);
    check_java(env);
    tensors_[i].rank = rank;
  }
  const jlong* next = dims_.data();
  for (mxinfer_tensor& tensor : tensors_) {
    tensor.shape = reinterpret_cast<const std::int64_t*>(next);
    next += tensor.rank;
  }
}

// The sizes first: memory for all arrays of the heap is one piece.
void Tensors::read_data(JNIEnv* env, jobjectArray data) {
  std::vector<std::size_t> sizes(tensors_.size(), 0);
  std::size_t all = 0;
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    const LocalRef<jobject> object(env, env->GetObjectArrayElement(data, static_cast<jsize>(i)));
    tensors_[i].data = env->GetDirectBufferAddress(object.get());
    if (tensors_[i].data != nullptr || env->GetDirectBufferCapacity(object.get()) >= 0) continue;
    // Otherwise it is an array, whose elements have the size of the dtype: TensorArgs sees to that.
    sizes[i] = static_cast<std::size_t>(env->GetArrayLength(static_cast<jarray>(object.get()))) *
               mxinfer_dtype_size(tensors_[i].dtype);
    all += aligned(sizes[i]) + kAlignment;
  }
  if (all == 0) return;
  std::byte* to = scratch(all + kAlignment);
  to += aligned(reinterpret_cast<std::uintptr_t>(to)) - reinterpret_cast<std::uintptr_t>(to);
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    if (tensors_[i].data != nullptr) continue;
    const LocalRef<jobject> object(env, env->GetObjectArrayElement(data, static_cast<jsize>(i)));
    copy_array(env, static_cast<jarray>(object.get()), to, sizes[i]);
    tensors_[i].data = to;
    to += aligned(sizes[i]) + kAlignment;
  }
}

Shapes::Shapes(JNIEnv* env, jobjectArray names, jobjectArray shapes) : names_(to_strings(env, names)) {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const LocalRef<jlongArray> shape(env, env->GetObjectArrayElement(shapes, static_cast<jsize>(i)));
    std::vector<std::int64_t> dims(static_cast<std::size_t>(env->GetArrayLength(shape.get())));
    env->GetLongArrayRegion(shape.get(), 0, static_cast<jsize>(dims.size()),
                            reinterpret_cast<jlong*>(dims.data()));
    check_java(env);
    dims_.push_back(std::move(dims));
  }
  for (std::size_t i = 0; i < names_.size(); ++i) {
    list_.push_back({sizeof(mxinfer_shape), names_[i].c_str(), dims_[i].data(),
                     static_cast<std::int32_t>(dims_[i].size())});
  }
}

jobjectArray to_java(JNIEnv* env, const mxinfer_descs* descs) {
  const std::size_t count = mxinfer_descs_count(descs);
  const LocalRef<jclass> type(env, env->FindClass("java/lang/Object"));
  jobjectArray list = env->NewObjectArray(static_cast<jsize>(count * 5), type.get(), nullptr);
  check_java(env);
  for (std::size_t i = 0; i < count; ++i) {
    mxinfer_desc desc{};
    desc.struct_size = sizeof desc;
    check(env, mxinfer_descs_get(descs, i, &desc));
    const LocalRef<jbyteArray> name(env, to_bytes(env, desc.name));
    const LocalRef<jlongArray> shape(env, to_longs(env, {desc.shape, desc.shape + desc.rank}));
    const LocalRef<jintArray> numbers(
        env, to_ints(env, {desc.dtype, desc.is_guess, desc.is_optional, desc.is_nullable}));
    const LocalRef<jbyteArray> layout(env, to_bytes(env, desc.layout));
    const LocalRef<jbyteArray> meaning(env, to_bytes(env, desc.meaning));
    auto at = static_cast<jsize>(i * 5);
    for (jobject part : {static_cast<jobject>(name.get()), static_cast<jobject>(shape.get()),
                         static_cast<jobject>(numbers.get()), static_cast<jobject>(layout.get()),
                         static_cast<jobject>(meaning.get())})
      env->SetObjectArrayElement(list, at++, part);
  }
  return list;
}

}  // namespace mxinfer::jni

using namespace mxinfer::jni;

jint Java_org_mxinfer_Native_tensorCount(JNIEnv* /*env*/, jclass /*type*/, jlong tensors) {
  return static_cast<jint>(mxinfer_tensors_count(object<const mxinfer_tensors>(tensors)));
}

namespace {

mxinfer_tensor tensor_at(JNIEnv* env, jlong tensors, jint index) {
  mxinfer_tensor tensor{};
  tensor.struct_size = sizeof tensor;
  check(env, mxinfer_tensors_get(object<const mxinfer_tensors>(tensors), static_cast<std::size_t>(index),
                                 &tensor));
  return tensor;
}

std::size_t elements_of(const mxinfer_tensor& tensor) {
  std::size_t elements = 1;
  for (std::int32_t i = 0; i < tensor.rank; ++i) elements *= static_cast<std::size_t>(tensor.shape[i]);
  return elements;
}

/// An output as an array of Java.
mxinfer_tensor typed_tensor_at(JNIEnv* env, jlong tensors, jint index, std::int32_t dtype) {
  const mxinfer_tensor tensor = tensor_at(env, tensors, index);
  const std::string output = "output " + std::to_string(index) + " '" +
                             (tensor.name == nullptr ? std::string() : std::string(tensor.name)) + "' ";
  if (tensor.dtype != dtype) {
    const std::string message = output + "is of " + mxinfer_dtype_name(tensor.dtype) + ", where " +
                                mxinfer_dtype_name(dtype) +
                                " is needed; predict tensors, or call predictFlat(), which gives these";
    throw_status(env, MXINFER_INVALID_ARGUMENT, message.c_str());
    throw JavaThrown{};
  }
  if (elements_of(tensor) > INT32_MAX) {
    const std::string message = output + "has " + std::to_string(elements_of(tensor)) +
                                " elements, more than an array of Java can hold; use smaller batches";
    throw_status(env, MXINFER_UNSUPPORTED, message.c_str());
    throw JavaThrown{};
  }
  return tensor;
}

}  // namespace

jlongArray Java_org_mxinfer_Native_tensorInfo(JNIEnv* env, jclass /*type*/, jlong tensors, jint index) {
  return guard(env, [&] {
    const mxinfer_tensor tensor = tensor_at(env, tensors, index);
    std::vector<jlong> info{tensor.dtype};
    info.insert(info.end(), tensor.shape, tensor.shape + tensor.rank);
    return to_longs(env, info);
  });
}

void Java_org_mxinfer_Native_copyTensor(JNIEnv* env, jclass /*type*/, jlong tensors, jint index,
                                        jobject buffer) {
  guard(env, [&] {
    const mxinfer_tensor tensor = tensor_at(env, tensors, index);
    const std::size_t bytes = elements_of(tensor) * mxinfer_dtype_size(tensor.dtype);
    if (bytes > 0) __builtin_memcpy(env->GetDirectBufferAddress(buffer), tensor.data, bytes);
  });
}

jfloatArray Java_org_mxinfer_Native_floatsOf(JNIEnv* env, jclass /*type*/, jlong tensors, jint index) {
  return guard(env, [&] {
    const mxinfer_tensor tensor = typed_tensor_at(env, tensors, index, MXINFER_FLOAT32);
    const auto elements = static_cast<jsize>(elements_of(tensor));
    jfloatArray array = env->NewFloatArray(elements);
    check_java(env);
    env->SetFloatArrayRegion(array, 0, elements, static_cast<const jfloat*>(tensor.data));
    return array;
  });
}

jdoubleArray Java_org_mxinfer_Native_doublesOf(JNIEnv* env, jclass /*type*/, jlong tensors, jint index) {
  return guard(env, [&] {
    const mxinfer_tensor tensor = typed_tensor_at(env, tensors, index, MXINFER_FLOAT64);
    const auto elements = static_cast<jsize>(elements_of(tensor));
    jdoubleArray array = env->NewDoubleArray(elements);
    check_java(env);
    env->SetDoubleArrayRegion(array, 0, elements, static_cast<const jdouble*>(tensor.data));
    return array;
  });
}

jint Java_org_mxinfer_Native_itemStatus(JNIEnv* env, jclass /*type*/, jlong tensors, jint index,
                                        jobjectArray message) {
  return guard(env, [&] {
    const char* text = nullptr;
    const mxinfer_status status = mxinfer_tensors_item_status(object<const mxinfer_tensors>(tensors),
                                                              static_cast<std::size_t>(index), &text);
    if (status != MXINFER_OK)
      env->SetObjectArrayElement(message, 0, LocalRef<jbyteArray>(env, to_bytes(env, text)).get());
    return status;
  });
}

void Java_org_mxinfer_Native_freeTensors(JNIEnv* /*env*/, jclass /*type*/, jlong tensors) {
  mxinfer_tensors_free(object<mxinfer_tensors>(tensors));
}
