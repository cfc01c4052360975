// The functions that create handles.
#include <limits>
#include <utility>

#include "c_predict/call.h"
#include "c_predict/handle.h"

using namespace mxinfer;
using namespace mxinfer::c_predict;

namespace {

/// The caller's inputs, as parallel arrays in MXNet's style.
struct Keys {
  mx_uint count;
  const char** keys;
  const mx_uint* indptr;
  const mx_uint* data;
};

/// The files that a caller gives.
struct Files {
  const char* symbol_json;
  const void* params;
  int params_bytes;
};

std::map<std::string, Shape> shapes_of(const Keys& given) {
  std::map<std::string, Shape> shapes;
  if (given.count == 0) return shapes;
  need(given.keys, "input_keys");
  need(given.indptr, "input_shape_indptr");
  for (mx_uint i = 0; i < given.count; ++i) {
    const mx_uint first = given.indptr[i], last = given.indptr[i + 1];
    if (last < first || last - first > Shape::kMaxRank) {
      reject("input_shape_indptr says that input " + std::to_string(i) + " has the sizes from " +
             std::to_string(first) + " to " + std::to_string(last) + "; a shape has 0 to " +
             std::to_string(Shape::kMaxRank));
    }
    Shape shape;
    for (mx_uint d = first; d < last; ++d) shape.push_back((&need(given.data, "input_shape_data"))[d]);
    const std::string key = &need(given.keys[i], "a key of input_keys");
    if (!shapes.emplace(key, shape).second) reject("the key '" + key + "' is given twice");
  }
  return shapes;
}

void require_cpu(int dev_type, int dev_id) {
  if ((dev_type == 1 || dev_type == 3) && dev_id >= 0) return;
  throw Error(ErrorCode::device, "the device is " + std::to_string(dev_type) + ", " + std::to_string(dev_id) +
                                     (dev_type == 2 ? ", a GPU; this version runs only on CPUs: give 1, 0"
                                                    : ", which is not a device; give 1, 0, the CPU"));
}

Request request_of(const Files& files, int dev_type, int dev_id, const Keys& keys) {
  require_cpu(dev_type, dev_id);
  Request request;
  request.symbol_json = &need(files.symbol_json, "symbol_json_str");
  if (files.params_bytes < 0) reject("param_size is " + std::to_string(files.params_bytes) + ", less than 0");
  if (files.params_bytes > 0) {
    request.params.assign(&need(static_cast<const char*>(files.params), "param_bytes"),
                          static_cast<std::size_t>(files.params_bytes));
  }
  request.shapes = shapes_of(keys);
  return request;
}

std::unique_ptr<Handle> make_handle(Request request) {
  std::map<std::string, Shape> shapes = request.shapes;
  return std::make_unique<Handle>(std::make_shared<const Network>(std::move(request)), std::move(shapes));
}

DType dtype_of(int number, const std::string& name) {
  if (number >= 0 && number <= static_cast<int>(DType::bfloat16)) return static_cast<DType>(number);
  reject("the type of '" + name + "' is " + std::to_string(number) +
         ", which is not a dtype; expected 0 (float32) to 12");
}

}  // namespace

int MXPredCreate(const char* symbol_json_str, const void* param_bytes, int param_size, int dev_type,
                 int dev_id, mx_uint num_input_nodes, const char** input_keys,
                 const mx_uint* input_shape_indptr, const mx_uint* input_shape_data, PredictorHandle* out) {
  return call([&] {
    PredictorHandle& handle = need(out, "out");
    handle = make_handle(request_of({symbol_json_str, param_bytes, param_size}, dev_type, dev_id,
                                    {num_input_nodes, input_keys, input_shape_indptr, input_shape_data}))
                 .release();
  });
}

int MXPredCreateEx(const char* symbol_json_str, const void* param_bytes, int param_size, int dev_type,
                   int dev_id, mx_uint num_input_nodes, const char** input_keys,
                   const mx_uint* input_shape_indptr, const mx_uint* input_shape_data,
                   mx_uint num_provided_arg_dtypes, const char** provided_arg_dtype_names,
                   const int* provided_arg_dtypes, PredictorHandle* out) {
  return call([&] {
    PredictorHandle& handle = need(out, "out");
    Request request = request_of({symbol_json_str, param_bytes, param_size}, dev_type, dev_id,
                                 {num_input_nodes, input_keys, input_shape_indptr, input_shape_data});
    for (mx_uint i = 0; i < num_provided_arg_dtypes; ++i) {
      need(provided_arg_dtype_names, "provided_arg_dtype_names");
      need(provided_arg_dtypes, "provided_arg_dtypes");
      const std::string name = &need(provided_arg_dtype_names[i], "a name of provided_arg_dtype_names");
      if (provided_arg_dtypes[i] != -1) request.dtypes[name] = dtype_of(provided_arg_dtypes[i], name);
    }
    handle = make_handle(std::move(request)).release();
  });
}

int MXPredCreatePartialOut(const char* symbol_json_str, const void* param_bytes, int param_size, int dev_type,
                           int dev_id, mx_uint num_input_nodes, const char** input_keys,
                           const mx_uint* input_shape_indptr, const mx_uint* input_shape_data,
                           mx_uint num_output_nodes, const char** output_keys, PredictorHandle* out) {
  return call([&] {
    PredictorHandle& handle = need(out, "out");
    Request request = request_of({symbol_json_str, param_bytes, param_size}, dev_type, dev_id,
                                 {num_input_nodes, input_keys, input_shape_indptr, input_shape_data});
    for (mx_uint i = 0; i < num_output_nodes; ++i) {
      need(output_keys, "output_keys");
      request.output_keys.push_back(&need(output_keys[i], "a key of output_keys"));
    }
    handle = make_handle(std::move(request)).release();
  });
}

int MXPredCreateMultiThread(const char* symbol_json_str, const void* param_bytes, int param_size,
                            int dev_type, int dev_id, mx_uint num_input_nodes, const char** input_keys,
                            const mx_uint* input_shape_indptr, const mx_uint* input_shape_data,
                            int num_threads, PredictorHandle* out) {
  return call([&] {
    need(out, "out");
    if (num_threads < 1) reject("num_threads is " + std::to_string(num_threads) + "; expected 1 or more");
    Request request = request_of({symbol_json_str, param_bytes, param_size}, dev_type, dev_id,
                                 {num_input_nodes, input_keys, input_shape_indptr, input_shape_data});
    const std::map<std::string, Shape> shapes = request.shapes;
    const auto network = std::make_shared<const Network>(std::move(request));
    std::vector<std::unique_ptr<Handle>> made;
    for (int i = 0; i < num_threads; ++i) made.push_back(std::make_unique<Handle>(network, shapes));
    for (int i = 0; i < num_threads; ++i) out[i] = made[static_cast<std::size_t>(i)].release();
  });
}

int MXPredReshape(mx_uint num_input_nodes, const char** input_keys, const mx_uint* input_shape_indptr,
                  const mx_uint* input_shape_data, PredictorHandle handle, PredictorHandle* out) {
  return call([&] {
    const Handle& old = handle_of<Handle>(handle);
    PredictorHandle& made = need(out, "out");
    made = old.reshaped(shapes_of({num_input_nodes, input_keys, input_shape_indptr, input_shape_data}))
               .release();
  });
}
