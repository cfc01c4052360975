// The C predict API of MXNet 1.9, from mxinfer: programs that were written for <mxnet/c_predict_api.h>
// compile with this header and run with libmxinfer_predict.so, as they are.
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
// Every function returns 0, or -1, and then MXGetLastError() says what was wrong. No exception leaves the
// library. A handle is for one thread at a time; any number of handles are in use at the same time. Handles
// of MXPredCreateMultiThread and of MXPredReshape share their weights and nothing else.
//
// What differs from MXNet (docs/how-to/c-predict-api.md): a parameter that the file lacks is an error; keys
// of labels count for nothing; the outputs are there when MXPredForward returns; a GPU is an error.
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

/// Gets the name of a value, the value and the pointer of the caller.
typedef void (*PredMonitorCallback)(const char* name, NDArrayHandle array, void* user);

/// The message of the last function of this thread that failed; "" if none has.
MXNET_DLL const char* MXGetLastError(void);

/// A predictor for inputs of fixed shapes, from the contents of a symbol file, which end in 0, and of a
/// .params file. dev_type: 1, or 3 (pinned), the CPU. Input i is called input_keys[i] and has the sizes
/// input_shape_data[input_shape_indptr[i]] up to input_shape_data[input_shape_indptr[i + 1]]. Inputs of the
/// network that are not named must be labels or states that begin as zeros.
MXNET_DLL int MXPredCreate(const char* symbol_json_str, const void* param_bytes, int param_size, int dev_type,
                           int dev_id, mx_uint num_input_nodes, const char** input_keys,
                           const mx_uint* input_shape_indptr, const mx_uint* input_shape_data,
                           PredictorHandle* out);
/// The same with types (MXNet's numbers: 0 float32, 1 float64, 2 float16, 3 uint8, 4 int32, 5 int8, 6 int64)
/// for inputs by name; float32 for the others. Those of parameters are what the file says.
MXNET_DLL int MXPredCreateEx(const char* symbol_json_str, const void* param_bytes, int param_size,
                             int dev_type, int dev_id, mx_uint num_input_nodes, const char** input_keys,
                             const mx_uint* input_shape_indptr, const mx_uint* input_shape_data,
                             mx_uint num_provided_arg_dtypes, const char** provided_arg_dtype_names,
                             const int* provided_arg_dtypes, PredictorHandle* out);
/// The same as MXPredCreate, with inner values as outputs: those called output_keys[i] + "_output".
MXNET_DLL int MXPredCreatePartialOut(const char* symbol_json_str, const void* param_bytes, int param_size,
                                     int dev_type, int dev_id, mx_uint num_input_nodes,
                                     const char** input_keys, const mx_uint* input_shape_indptr,
                                     const mx_uint* input_shape_data, mx_uint num_output_nodes,
                                     const char** output_keys, PredictorHandle* out);
/// num_threads predictors of one set of weights, into out[0] and up, each with inputs and outputs of its own.
/// Each is to be freed.
MXNET_DLL int MXPredCreateMultiThread(const char* symbol_json_str, const void* param_bytes, int param_size,
                                      int dev_type, int dev_id, mx_uint num_input_nodes,
                                      const char** input_keys, const mx_uint* input_shape_indptr,
                                      const mx_uint* input_shape_data, int num_threads, PredictorHandle* out);
/// Another predictor of the same weights for inputs of other shapes; those that are not named keep theirs and
/// their values. The old one stays as it is; both are to be freed.
MXNET_DLL int MXPredReshape(mx_uint num_input_nodes, const char** input_keys,
                            const mx_uint* input_shape_indptr, const mx_uint* input_shape_data,
                            PredictorHandle handle, PredictorHandle* out);

/// The shape of output `index`; it lives until the next call of this function with the handle. Of a network
/// whose sizes depend on values it is known behind MXPredForward.
MXNET_DLL int MXPredGetOutputShape(PredictorHandle handle, mx_uint index, mx_uint** shape_data,
                                   mx_uint* shape_ndim);
/// The type of output `out_index`, as a number of MXNet.
MXNET_DLL int MXPredGetOutputType(PredictorHandle handle, mx_uint out_index, int* out_dtype);
/// Copies an input in. `size` counts elements, all of them; the pointer is one to the input's type, cast if
/// that is not float. Inputs that are never set are zeros.
MXNET_DLL int MXPredSetInput(PredictorHandle handle, const char* key, const mx_float* data, mx_uint size);
/// Runs the network.
MXNET_DLL int MXPredForward(PredictorHandle handle);
/// Runs it a part at a time: call it with step = 0, 1, 2, ... until *step_left is 0; the outputs are there
/// then. A step that is left out is run with the next.
MXNET_DLL int MXPredPartialForward(PredictorHandle handle, int step, int* step_left);
/// Copies output `index` out; `size` and the pointer as in MXPredSetInput. An error before MXPredForward.
MXNET_DLL int MXPredGetOutput(PredictorHandle handle, mx_uint index, mx_float* data, mx_uint size);
/// NULL does nothing.
MXNET_DLL int MXPredFree(PredictorHandle handle);

/// The arrays of a .params or .nd file, from its contents, as float32.
MXNET_DLL int MXNDListCreate(const char* nd_file_bytes, int nd_file_size, NDListHandle* out,
                             mx_uint* out_length);
/// Array `index`: its name (may be ""), its elements, its shape; all live until MXNDListFree.
MXNET_DLL int MXNDListGet(NDListHandle handle, mx_uint index, const char** out_key, const mx_float** out_data,
                          const mx_uint** out_shape, mx_uint* out_ndim);
MXNET_DLL int MXNDListFree(NDListHandle handle);

/// From now on, MXPredForward computes every inner value too and calls back with each, in the order in which
/// they are computed; with monitor_all also with the variables that operators read. Much slower. NULL ends
/// it. Arrays live until the next MXPredForward or MXPredFree of the handle, whether freed or not.
MXNET_DLL int MXPredSetMonitorCallback(PredictorHandle handle, PredMonitorCallback callback,
                                       void* callback_handle, bool monitor_all);

// What a monitor may do with an array, as MXNet's <mxnet/c_api.h> declares it.

/// Sizes as int, which live as long as the array.
MXNET_DLL int MXNDArrayGetShapeEx(NDArrayHandle handle, int* out_dim, const int** out_pdata);
MXNET_DLL int MXNDArrayGetDType(NDArrayHandle handle, int* out_dtype);
/// Copies `size` elements, all of them, of the array's type.
MXNET_DLL int MXNDArraySyncCopyToCPU(NDArrayHandle handle, void* data, size_t size);
/// 1, 0: the CPU.
MXNET_DLL int MXNDArrayGetContext(NDArrayHandle handle, int* out_dev_type, int* out_dev_id);
MXNET_DLL int MXNDArrayWaitToRead(NDArrayHandle handle);
MXNET_DLL int MXNDArrayFree(NDArrayHandle handle);

#ifdef __cplusplus
}
#endif

#endif
