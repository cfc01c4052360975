// Arrays: your own, those that the library owns, and descriptors of both.
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

/// Returns the bytes of one element; 0 for another number.
MXINFER_C_API size_t mxinfer_dtype_size(int32_t dtype);
/// Returns NumPy's name, such as "float32"; "unknown" for another number. Lives as long as the process.
MXINFER_C_API const char* mxinfer_dtype_name(int32_t dtype);

/// A dense row-major array. An input is borrowed for the call and not written to.
typedef struct mxinfer_tensor {
  size_t struct_size;
  /// The name of an input. Set it for all inputs of a call or for none. Without names, inputs are in the
  /// order of the model.
  const char* name;
  void* data;
  const int64_t* shape;  ///< sizes of the dimensions, outermost first
  int32_t rank;          ///< number of dimensions, at most 16
  int32_t dtype;
  /// 0 or 1: the memory of the CPU; 2: the memory of an NVIDIA GPU, only for
  /// mxinfer_predictor_predict_on_device.
  int32_t device_type;
  int32_t device_index;  ///< of the GPU
} mxinfer_tensor;

/// Arrays that the library owns until you free them. Use them on one thread at a time.
typedef struct mxinfer_tensors mxinfer_tensors;

/// Makes an array in pinned memory for each of `like`, with its name, dtype and shape; `data` is ignored.
/// They are for inputs and outputs of predictors on the GPU `device`, such as "cuda:0": transfers to and from
/// the GPU need no extra copy on the CPU. This holds for every GPU of the process. For "cpu", the memory is
/// ordinary, so that you can pass the device of your options. Elements are not set. Pinning takes longer than
/// most calls, so make such arrays once and reuse them. Get each with mxinfer_tensors_get, and free them when
/// no call uses them. Errors: MXINFER_INVALID_ARGUMENT if the name is not a device, MXINFER_DEVICE if there
/// is no such GPU or no library of kernels.
MXINFER_C_API mxinfer_status mxinfer_tensors_create_pinned(const mxinfer_tensor* like, size_t count,
                                                           const char* device, mxinfer_tensors** out);
/// Returns the number of arrays.
MXINFER_C_API size_t mxinfer_tensors_count(const mxinfer_tensors* tensors);
/// Writes array `index`, from 0, to `tensor`. Name, data and shape live as long as `tensors`; the name is
/// NULL for pinned arrays without names. You may write to the elements. Error: MXINFER_INVALID_ARGUMENT if
/// the index is out of range.
MXINFER_C_API mxinfer_status mxinfer_tensors_get(const mxinfer_tensors* tensors, size_t index,
                                                 mxinfer_tensor* tensor);
/// Returns the status of item `index` of a list that was run with collect_errors: MXINFER_OK, or the code of
/// its error. If `message` is not NULL, writes the error's message to it, or "" if there is none. The text
/// lives as long as `tensors`.
MXINFER_C_API mxinfer_status mxinfer_tensors_item_status(const mxinfer_tensors* tensors, size_t index,
                                                         const char** message);
MXINFER_C_API void mxinfer_tensors_free(mxinfer_tensors* tensors);

/// One input or output of a model, or its shape for given inputs.
typedef struct mxinfer_desc {
  size_t struct_size;
  const char* name;
  const int64_t* shape;  ///< -1 is a free size
  int32_t rank;          ///< also 0 for an output whose size depends on values
  int32_t dtype;
  const char* layout;  ///< one letter per dimension, such as "NCHW"; "" if it is not known
  /// "image", "encoded_image", "image_path", "scores", "ids", "boxes", "landmarks", "text", or ""
  const char* meaning;
  int32_t is_guess;     ///< for an input: the height and width, or the length, were inferred
  int32_t is_optional;  ///< for an input: you may leave it out, and it is then zeros
  int32_t is_nullable;  ///< for an input: a row may be null: NaN in numbers, zero bytes in text
} mxinfer_desc;

/// Descriptors of several inputs or outputs.
typedef struct mxinfer_descs mxinfer_descs;

/// Returns the number of descriptors.
MXINFER_C_API size_t mxinfer_descs_count(const mxinfer_descs* descs);
/// Writes descriptor `index`, from 0, to `desc`. Its texts and shape live as long as `descs`. Error:
/// MXINFER_INVALID_ARGUMENT if the index is out of range.
MXINFER_C_API mxinfer_status mxinfer_descs_get(const mxinfer_descs* descs, size_t index, mxinfer_desc* desc);
/// Frees descriptors that a function wrote through `out`. Do not free those that a function returned.
MXINFER_C_API void mxinfer_descs_free(mxinfer_descs* descs);

/// The shape of one input.
typedef struct mxinfer_shape {
  size_t struct_size;
  const char* name;
  const int64_t* shape;
  int32_t rank;
} mxinfer_shape;

#endif
