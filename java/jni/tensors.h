// Arrays of Java as the C interface takes them.
#pragma once

#include <jni.h>
#include <mxinfer_c.h>

#include <string>
#include <vector>

#include "support.h"

namespace mxinfer::jni {

/// The four lists that stand for arrays: names (may be null, also single ones), data, dtypes, shapes.
struct TensorLists {
  jobjectArray names;
  jobjectArray data;
  jintArray dtypes;
  jobjectArray shapes;
};

/// Borrows direct buffers; arrays of Java are copied to the thread's scratch, so that of one call at a time
/// there may be one of these with such arrays.
class Tensors {
 public:
  Tensors(JNIEnv* env, const TensorLists& lists);
  [[nodiscard]] const mxinfer_tensor* data() const { return tensors_.data(); }
  [[nodiscard]] std::size_t size() const { return tensors_.size(); }

 protected:
  /// Of lists without data, which whoever is derived from it sets.
  Tensors(JNIEnv* env, jobjectArray names, jintArray dtypes, jobjectArray shapes);

  std::vector<mxinfer_tensor> tensors_;

 private:
  void read_names(JNIEnv* env, jobjectArray names);
  void read_shapes(JNIEnv* env, jobjectArray shapes);
  void read_data(JNIEnv* env, jobjectArray data);

  std::vector<std::string> names_;
  std::vector<jlong> dims_;
  ScratchUse scratch_use_;
};

/// Shapes by name.
class Shapes {
 public:
  Shapes(JNIEnv* env, jobjectArray names, jobjectArray shapes);
  [[nodiscard]] const mxinfer_shape* data() const { return list_.data(); }
  [[nodiscard]] std::size_t size() const { return list_.size(); }

 private:
  std::vector<std::string> names_;
  std::vector<std::vector<std::int64_t>> dims_;
  std::vector<mxinfer_shape> list_;
};

/// Five entries for each: name, shape, {dtype, is_guess, is_optional, is_nullable}, layout, meaning.
jobjectArray to_java(JNIEnv* env, const mxinfer_descs* descs);

}  // namespace mxinfer::jni
