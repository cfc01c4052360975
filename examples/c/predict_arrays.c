// Runs a model on zeros of its input shapes, and prints the outputs: `predict_arrays MODEL`.
#include <mxinfer_c.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(void) {
  fprintf(stderr, "%s\n", mxinfer_last_error());
  return 1;
}

static size_t bytes_of(const mxinfer_desc* desc) {
  size_t bytes = mxinfer_dtype_size(desc->dtype);
  for (int32_t i = 0; i < desc->rank; ++i) bytes *= (size_t)desc->shape[i];
  return bytes;
}

int main(int count, char** arguments) {
  if (count != 2) {
    fprintf(stderr, "usage: predict_arrays MODEL\n");
    return 2;
  }
  mxinfer_predictor* predictor = NULL;
  mxinfer_descs* shapes = NULL;
  if (mxinfer_predictor_open(arguments[1], NULL, &predictor) != MXINFER_OK ||
      mxinfer_predictor_input_shapes(predictor, NULL, 0, &shapes) != MXINFER_OK)
    return fail();
  const size_t inputs = mxinfer_descs_count(shapes);
  mxinfer_tensor* arrays = (mxinfer_tensor*)calloc(inputs, sizeof(mxinfer_tensor));
  if (arrays == NULL) return 1;
  for (size_t i = 0; i < inputs; ++i) {
    mxinfer_desc desc;
    desc.struct_size = sizeof desc;
    if (mxinfer_descs_get(shapes, i, &desc) != MXINFER_OK) return fail();
    arrays[i].struct_size = sizeof arrays[i];
    arrays[i].name = desc.name;
    arrays[i].data = calloc(1, bytes_of(&desc));
    arrays[i].shape = desc.shape;
    arrays[i].rank = desc.rank;
    arrays[i].dtype = desc.dtype;
  }
  mxinfer_tensors* outputs = NULL;
  if (mxinfer_predictor_predict(predictor, arrays, inputs, &outputs) != MXINFER_OK) return fail();
  for (size_t i = 0; i < mxinfer_tensors_count(outputs); ++i) {
    mxinfer_tensor output;
    output.struct_size = sizeof output;
    if (mxinfer_tensors_get(outputs, i, &output) != MXINFER_OK) return fail();
    printf("%s %s (", output.name, mxinfer_dtype_name(output.dtype));
    for (int32_t d = 0; d < output.rank; ++d) printf(d == 0 ? "%lld" : ", %lld", (long long)output.shape[d]);
    printf(")\n");
  }
  mxinfer_tensors_free(outputs);
  for (size_t i = 0; i < inputs; ++i) free(arrays[i].data);
  free(arrays);
  mxinfer_descs_free(shapes);
  mxinfer_predictor_free(predictor);
  return 0;
}
