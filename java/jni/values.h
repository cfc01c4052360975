// Numbers, texts and tensors of Java as the C++ interface takes them, and back.
#pragma once

#include <jni.h>
#include <mxinfer/item_error.h>
#include <mxinfer/model.h>
#include <mxinfer/named_views.h>
#include <mxinfer/span.h>
#include <mxinfer/tensor.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tensors.h"

namespace mxinfer::jni {

std::vector<std::int32_t> to_ids(JNIEnv* env, jintArray ids);
std::vector<std::vector<std::int32_t>> to_id_lists(JNIEnv* env, jobjectArray lists);
std::vector<std::int64_t> to_int64s(JNIEnv* env, jlongArray numbers);
/// Empty of null.
std::vector<float> to_floats(JNIEnv* env, jfloatArray numbers);
std::vector<double> to_doubles(JNIEnv* env, jdoubleArray numbers);
/// Nothing of null.
std::optional<std::string> to_text(JNIEnv* env, jbyteArray text);
/// Nothing of a text that is null.
std::optional<std::string> text_at(JNIEnv* env, jobjectArray texts, jsize index);

jfloatArray from_floats(JNIEnv* env, Span<const float> numbers);
jdoubleArray from_doubles(JNIEnv* env, const std::vector<double>& numbers);
jobjectArray from_texts(JNIEnv* env, const std::vector<std::string>& texts);
/// Object[]. The references are deleted.
jobjectArray from_objects(JNIEnv* env, std::initializer_list<jobject> objects);

/// Tensors of Java as views, which borrow what `tensors` does.
TensorView view_of(const mxinfer_tensor& tensor);
/// Of a direct buffer.
TensorView direct_view(JNIEnv* env, jobject data, jint dtype, jlongArray shape);
std::vector<TensorView> views_of(const Tensors& tensors);
/// Those from `first` on, `count` of them, by name.
std::map<std::string, TensorView> named_views_of(const Tensors& tensors, std::size_t first,
                                                 std::size_t count);

/// Keeps what was wrong with items: the message in `messages`, the status in the result, which has one number
/// for each item.
std::vector<jint> statuses_of(JNIEnv* env, const std::vector<ItemError>& errors, jobjectArray messages);

/// Two numbers for each item: its status, and the address of its tensors, 0 of one that was wrong.
jlongArray from_outputs(JNIEnv* env, const Model& model, std::vector<std::vector<Tensor>> outputs,
                        const std::vector<ItemError>& errors, jobjectArray messages);

}  // namespace mxinfer::jni
