// A program as they are written for MXNet's <mxnet/c_predict_api.h>: reads the two files, sets the inputs,
// runs, and writes the outputs.
//
//   predict_program SYMBOL PARAMS THREADS OUT KEY SHAPE FILE [KEY SHAPE FILE]...
//
// SHAPE is 1,3,224,224; FILE holds that many float32. OUT gets, of each output, the number of its dimensions,
// its sizes and its elements. With THREADS above 1 each thread has a predictor of its own, doubles the inputs
// of the one before it, and writes OUT.0, OUT.1, ...
#include <mxnet/c_predict_api.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_INPUTS 64
#define MOST_THREADS 64

static mx_uint input_count = 0;
static const char* keys[MOST_INPUTS];
static mx_uint indptr[MOST_INPUTS + 1];
static mx_uint shapes[MOST_INPUTS * 16];
static mx_uint sizes[MOST_INPUTS];
static float* inputs[MOST_INPUTS];

static int failed(const char* what) {
  fprintf(stderr, "%s: %s\n", what, MXGetLastError());
  return 1;
}

static char* read_file(const char* path, size_t* bytes) {
  FILE* file = fopen(path, "rb");
  if (file == NULL) return NULL;
  fseek(file, 0, SEEK_END);
  *bytes = (size_t)ftell(file);
  rewind(file);
  char* text = (char*)calloc(*bytes + 1, 1);
  if (text != NULL && fread(text, 1, *bytes, file) != *bytes) {
    free(text);
    text = NULL;
  }
  fclose(file);
  return text;
}

static int read_input(const char* key, const char* shape, const char* path) {
  keys[input_count] = key;
  mx_uint end = indptr[input_count];
  mx_uint size = 1;
  for (const char* at = shape; at != NULL && *at != 0; at = strchr(at, ',')) {
    if (*at == ',') ++at;
    shapes[end] = (mx_uint)strtoul(at, NULL, 10);
    size *= shapes[end++];
  }
  size_t bytes = 0;
  inputs[input_count] = (float*)(void*)read_file(path, &bytes);
  sizes[input_count] = size;
  indptr[++input_count] = end;
  return inputs[input_count - 1] != NULL && bytes == size * sizeof(float) ? 0 : 1;
}

// Sets the inputs, times `scale`, runs, and writes what comes out.
static int predict(PredictorHandle predictor, float scale, const char* path) {
  for (mx_uint i = 0; i < input_count; ++i) {
    float* scaled = (float*)malloc(sizes[i] * sizeof(float) + 1);
    if (scaled == NULL) return 1;
    for (mx_uint k = 0; k < sizes[i]; ++k) scaled[k] = inputs[i][k] * scale;
    if (MXPredSetInput(predictor, keys[i], scaled, sizes[i]) != 0) return failed("MXPredSetInput");
    free(scaled);
  }
  if (MXPredForward(predictor) != 0) return failed("MXPredForward");
  FILE* out = fopen(path, "wb");
  if (out == NULL) return 1;
  mx_uint* shape = NULL;
  mx_uint rank = 0;
  for (mx_uint index = 0; MXPredGetOutputShape(predictor, index, &shape, &rank) == 0; ++index) {
    mx_uint size = 1;
    fwrite(&rank, sizeof rank, 1, out);
    fwrite(shape, sizeof *shape, rank, out);
    for (mx_uint i = 0; i < rank; ++i) size *= shape[i];
    float* data = (float*)malloc(size * sizeof(float) + 1);
    if (data == NULL) return 1;
    if (MXPredGetOutput(predictor, index, data, size) != 0) return failed("MXPredGetOutput");
    fwrite(data, sizeof(float), size, out);
    free(data);
  }
  fclose(out);
  return 0;
}

typedef struct Job {
  PredictorHandle predictor;
  float scale;
  char path[4096];
  int result;
} Job;

static void* run_job(void* given) {
  Job* job = (Job*)given;
  for (int i = 0; i < 5 && job->result == 0; ++i)
    job->result = predict(job->predictor, job->scale, job->path);
  return NULL;
}

static int predict_on_threads(PredictorHandle* predictors, int count, const char* path) {
  static Job jobs[MOST_THREADS];
  pthread_t threads[MOST_THREADS];
  float scale = 1;
  for (int i = 0; i < count; ++i, scale /= 2) {
    jobs[i].predictor = predictors[i];
    jobs[i].scale = scale;
    snprintf(jobs[i].path, sizeof jobs[i].path, "%s.%d", path, i);
    pthread_create(&threads[i], NULL, run_job, &jobs[i]);
  }
  int result = 0;
  for (int i = 0; i < count; ++i) {
    pthread_join(threads[i], NULL);
    result |= jobs[i].result;
  }
  return result;
}

int main(int count, char** arguments) {
  if (count < 8 || (count - 5) % 3 != 0) {
    fprintf(stderr, "usage: predict_program SYMBOL PARAMS THREADS OUT KEY SHAPE FILE...\n");
    return 2;
  }
  size_t symbol_bytes = 0, params_bytes = 0;
  char* symbol = read_file(arguments[1], &symbol_bytes);
  char* params = read_file(arguments[2], &params_bytes);
  if (symbol == NULL || params == NULL) return 1;
  for (int i = 5; i < count; i += 3) {
    if (read_input(arguments[i], arguments[i + 1], arguments[i + 2]) != 0) return 1;
  }
  const int threads = atoi(arguments[3]);
  PredictorHandle predictors[MOST_THREADS];
  int result = 0;
  if (threads <= 1) {
    if (MXPredCreate(symbol, params, (int)params_bytes, 1, 0, input_count, keys, indptr, shapes,
                     &predictors[0]) != 0)
      return failed("MXPredCreate");
    result = predict(predictors[0], 1, arguments[4]);
  } else {
    if (MXPredCreateMultiThread(symbol, params, (int)params_bytes, 1, 0, input_count, keys, indptr, shapes,
                                threads, predictors) != 0)
      return failed("MXPredCreateMultiThread");
    result = predict_on_threads(predictors, threads, arguments[4]);
  }
  for (int i = 0; i < (threads <= 1 ? 1 : threads); ++i) MXPredFree(predictors[i]);
  for (mx_uint i = 0; i < input_count; ++i) free(inputs[i]);
  free(symbol);
  free(params);
  return result;
}
