// The C predict API of MXNet 1.9, from mxinfer: programs that were written for <mxnet/c_predict_api.h>
// compile unchanged with this header and run with libmxinfer_predict.so.
//
//   PredictorHandle predictor = NULL;
//   const char* keys[] = {"data"};
//   const mx_uint indptr[] = {0, 4}, shape[] = {1, 3, 224, 224};
//   MXPredCreate(symbol_json, params, params_bytes, 1, 0, 1, keys, indptr, shape, &predictor);
//   MXPredSetInput(predictor, "data", image, 3 * 224 * 224);
//   MXPredForward(predictor);
//   MXPredGetOutput(predictor, 0, scores, 1000);
//   MXPredFree(predictor);
//
// Every function returns 0, or -1 after an error: MXGetLastError() then says what was wrong. No exception
// leaves the library. Use a handle on one thread at a time; any number of handles may be in use at the same
// time. Handles of MXPredCreateMultiThread and of MXPredReshape share only their weights.
//
// What differs from MXNet (docs/how-to/c-predict-api.md): a parameter that the file lacks is an error; keys
// of labels are ignored; the outputs are ready when MXPredForward returns; a GPU is an error.
#ifndef MXINFER_PREDICT_MXNET_C_PREDICT_API_H
#define MXINFER_PREDICT_MXNET_C_PREDICT_API_H

#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#else
#include <stdbool.h>
#endif

#define MXNET_DLL __attribute__((visibility("default")))

typedef uint32_t mx_uint;
typedef float mx_float;
typedef void* PredictorHandle;
typedef void* NDListHandle;
typedef void* NDArrayHandle;

/// Receives the name of a value, the value, and the caller's pointer.
typedef void (*PredMonitorCallback)(const char* name, NDArrayHandle array, void* user);

/// Returns the message of the last function that failed on this thread; "" if none has failed.
MXNET_DLL const char* MXGetLastError(void);

/// Creates a predictor for inputs of fixed shapes, from the contents of a symbol file, which end in 0, and of
/// a .params file. dev_type is 1 or 3 (pinned): both are the CPU. Input i has the name input_keys[i] and the
/// sizes from input_shape_data[input_shape_indptr[i]] up to, but not including,
/// input_shape_data[input_shape_indptr[i + 1]]. Inputs of the network that are not named must be labels, or
/// states that begin as zeros.
MXNET_DLL int MXPredCreate(const char* symbol_json_str, const void* param_bytes, int param_size, int dev_type,
                           int dev_id, mx_uint num_input_nodes, const char** input_keys,
                           const mx_uint* input_shape_indptr, const mx_uint* input_shape_data,
                           PredictorHandle* out);
/// The same, with dtypes (MXNet's numbers: 0 float32, 1 float64, 2 float16, 3 uint8, 4 int32, 5 int8, 6
/// int64) for inputs by name; the others are float32. The file determines those of parameters.
MXNET_DLL int MXPredCreateEx(const char* symbol_json_str, const void* param_bytes, int param_size,
                             int dev_type, int dev_id, mx_uint num_input_nodes, const char** input_keys,
                             const mx_uint* input_shape_indptr, const mx_uint* input_shape_data,
                             mx_uint num_provided_arg_dtypes, const char** provided_arg_dtype_names,
                             const int* provided_arg_dtypes, PredictorHandle* out);
/// The same as MXPredCreate, with inner values as outputs: those named output_keys[i] + "_output".
MXNET_DLL int MXPredCreatePartialOut(const char* symbol_json_str, const void* param_bytes, int param_size,
                                     int dev_type, int dev_id, mx_uint num_input_nodes,
                                     const char** input_keys, const mx_uint* input_shape_indptr,
                                     const mx_uint* input_shape_data, mx_uint num_output_nodes,
                                     const char** output_keys, PredictorHandle* out);
/// Creates num_threads predictors that share one set of weights, in out[0] and up, each with its own inputs
/// and outputs. Free each of them.
MXNET_DLL int MXPredCreateMultiThread(const char* symbol_json_str, const void* param_bytes, int param_size,
                                      int dev_type, int dev_id, mx_uint num_input_nodes,
                                      const char** input_keys, const mx_uint* input_shape_indptr,
                                      const mx_uint* input_shape_data, int num_threads, PredictorHandle* out);
/// Creates another predictor with the same weights for inputs of other shapes. Inputs that are not named keep
/// their shapes and values. The old predictor does not change; free both.
MXNET_DLL int MXPredReshape(mx_uint num_input_nodes, const char** input_keys,
                            const mx_uint* input_shape_indptr, const mx_uint* input_shape_data,
                            PredictorHandle handle, PredictorHandle* out);

/// Writes the shape of output `index`, which lives until the next call of this function with the handle. If
/// sizes depend on values, the shape is known after MXPredForward.
MXNET_DLL int MXPredGetOutputShape(PredictorHandle handle, mx_uint index, mx_uint** shape_data,
                                   mx_uint* shape_ndim);
/// Writes the dtype of output `out_index`, as MXNet's number.
MXNET_DLL int MXPredGetOutputType(PredictorHandle handle, mx_uint out_index, int* out_dtype);
/// Sets an input to a copy of `data`. `size` is the number of all its elements. If the input's dtype is not
/// float32, cast the pointer. Inputs that are never set are zeros.
MXNET_DLL int MXPredSetInput(PredictorHandle handle, const char* key, const mx_float* data, mx_uint size);
/// Runs the network.
MXNET_DLL int MXPredForward(PredictorHandle handle);
/// Runs the network in parts: call it with step = 0, 1, 2, ... until *step_left is 0; the outputs are then
/// ready. If you leave out a step, it runs with the next one.
MXNET_DLL int MXPredPartialForward(PredictorHandle handle, int step, int* step_left);
/// Copies output `index` to `data`; `size` and the pointer are as in MXPredSetInput. Before MXPredForward,
/// this is an error.
MXNET_DLL int MXPredGetOutput(PredictorHandle handle, mx_uint index, mx_float* data, mx_uint size);
/// Frees a predictor. NULL does nothing.
MXNET_DLL int MXPredFree(PredictorHandle handle);

/// Reads the arrays of a .params or .nd file, from its contents, as float32.
MXNET_DLL int MXNDListCreate(const char* nd_file_bytes, int nd_file_size, NDListHandle* out,
                             mx_uint* out_length);
/// Writes array `index`: its name (may be ""), elements and shape, which all live until MXNDListFree.
MXNET_DLL int MXNDListGet(NDListHandle handle, mx_uint index, const char** out_key, const mx_float** out_data,
                          const mx_uint** out_shape, mx_uint* out_ndim);
MXNET_DLL int MXNDListFree(NDListHandle handle);

/// From now on, MXPredForward also computes every inner value and calls back with each, in the order in which
/// they are computed. With monitor_all, it also calls back with the variables that operators read. This is
/// much slower; NULL ends it. Arrays live until the next MXPredForward or MXPredFree of the handle, whether
/// you free them or not.
MXNET_DLL int MXPredSetMonitorCallback(PredictorHandle handle, PredMonitorCallback callback,
                                       void* callback_handle, bool monitor_all);

// What a monitor may do with an array, as MXNet's <mxnet/c_api.h> declares it.

/// Writes the sizes as int, which live as long as the array.
MXNET_DLL int MXNDArrayGetShapeEx(NDArrayHandle handle, int* out_dim, const int** out_pdata);
MXNET_DLL int MXNDArrayGetDType(NDArrayHandle handle, int* out_dtype);
/// Copies all elements, of the array's dtype; `size` is their number.
MXNET_DLL int MXNDArraySyncCopyToCPU(NDArrayHandle handle, void* data, size_t size);
/// Writes 1 and 0: the CPU.
MXNET_DLL int MXNDArrayGetContext(NDArrayHandle handle, int* out_dev_type, int* out_dev_id);
MXNET_DLL int MXNDArrayWaitToRead(NDArrayHandle handle);
MXNET_DLL int MXNDArrayFree(NDArrayHandle handle);

#ifdef __cplusplus
}
#endif

#endif
