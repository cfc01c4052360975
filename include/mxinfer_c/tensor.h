// Arrays: those of the caller that go in, those of the library that come out, and what describes them.
//
//   const int64_t shape[] = {1, 3, 224, 224};
//   mxinfer_tensor image = {sizeof image, NULL, pixels, shape, 4, MXINFER_FLOAT32};
//   mxinfer_predictor_predict(predictor, &image, 1, &outputs);
//   mxinfer_tensor scores = {sizeof scores};
//   mxinfer_tensors_get(outputs, 0, &scores);
#ifndef MXINFER_C_TENSOR_H
#define MXINFER_C_TENSOR_H

#include <mxinfer_c/status.h>
#include <stddef.h>

/// Types of elements. The numbers are those of MXNet's files.
enum {
  MXINFER_FLOAT32 = 0,
  MXINFER_FLOAT64 = 1,
  MXINFER_FLOAT16 = 2,  ///< IEEE binary16 as stored
  MXINFER_UINT8 = 3,
  MXINFER_INT32 = 4,
  MXINFER_INT8 = 5,
  MXINFER_INT64 = 6,
  MXINFER_BOOL = 7,  ///< one byte, 0 or 1
  MXINFER_INT16 = 8,
  MXINFER_UINT16 = 9,
  MXINFER_UINT32 = 10,
  MXINFER_UINT64 = 11,
  MXINFER_BFLOAT16 = 12  ///< the upper half of a float32 as stored
};

/// Bytes of one element; 0 for another number.
MXINFER_C_API size_t mxinfer_dtype_size(int32_t dtype);
/// NumPy's name, such as "float32"; "unknown" for another number. Lives as long as the process.
MXINFER_C_API const char* mxinfer_dtype_name(int32_t dtype);

/// A dense row-major array. What goes in is borrowed for the call and not written to, unless it is to be
/// written into.
typedef struct mxinfer_tensor {
  size_t struct_size;
  /// Of an input: its name, for all inputs of a call or none; without names they are in the order of the
  /// model.
  const char* name;
  void* data;
  const int64_t* shape;  ///< sizes of the dimensions, outermost first
  int32_t rank;          ///< number of dimensions, at most 16
  int32_t dtype;
  /// 0 or 1: the CPU's memory; 2: that of an NVIDIA GPU, for mxinfer_predictor_predict_on_device alone.
  int32_t device_type;
  int32_t device_index;  ///< of the GPU
} mxinfer_tensor;

/// Arrays that the library owns, until they are freed.
typedef struct mxinfer_tensors mxinfer_tensors;

MXINFER_C_API size_t mxinfer_tensors_count(const mxinfer_tensors* tensors);
/// Array `index`, from 0. Name, data and shape live as long as `tensors`; the elements may be written to.
MXINFER_C_API mxinfer_status mxinfer_tensors_get(const mxinfer_tensors* tensors, size_t index,
                                                 mxinfer_tensor* tensor);
/// What became of item `index` of mxinfer_predictor_predict_list with collect_errors: MXINFER_OK, or what was
/// wrong with it, and then its message if that is not NULL, which lives as long as `tensors`.
MXINFER_C_API mxinfer_status mxinfer_tensors_item_status(const mxinfer_tensors* tensors, size_t index,
                                                         const char** message);
MXINFER_C_API void mxinfer_tensors_free(mxinfer_tensors* tensors);

/// One input or output of a model, or its shape for given inputs.
typedef struct mxinfer_desc {
  size_t struct_size;
  const char* name;
  const int64_t* shape;  ///< -1 is a free size
  int32_t rank;          ///< 0 also for an output whose size depends on values
  int32_t dtype;
  const char* layout;  ///< one letter a dimension, such as "NCHW"; "" if nothing says it
  /// "image", "encoded_image", "image_path", "scores", "ids", "boxes", "landmarks", "text", or ""
  const char* meaning;
  int32_t is_guess;     ///< of an input: height and width, or length, were guessed
  int32_t is_optional;  ///< of an input: it may be left out, and is then zeros
  int32_t is_nullable;  ///< of an input: a row may be null, NaN in numbers and zero bytes in text
} mxinfer_desc;

typedef struct mxinfer_descs mxinfer_descs;

MXINFER_C_API size_t mxinfer_descs_count(const mxinfer_descs* descs);
/// Descriptor `index`, from 0; its texts and shape live as long as `descs`.
MXINFER_C_API mxinfer_status mxinfer_descs_get(const mxinfer_descs* descs, size_t index, mxinfer_desc* desc);
/// For those that a function gave through `out`, not for those of a model.
MXINFER_C_API void mxinfer_descs_free(mxinfer_descs* descs);

/// The shape of one input.
typedef struct mxinfer_shape {
  size_t struct_size;
  const char* name;
  const int64_t* shape;
  int32_t rank;
} mxinfer_shape;

#endif
