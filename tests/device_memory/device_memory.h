/* Memory and streams of cuda:0 for tests that know neither CUDA nor mxinfer's C++ parts: those of C, Python
   and Java. They come from the library that MXINFER_CUDA_LIBRARY names, a GPU's or the emulator's. */
#ifndef MXINFER_TESTS_DEVICE_MEMORY_H
#define MXINFER_TESTS_DEVICE_MEMORY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* NULL if there is none. */
void* device_memory_allocate(size_t bytes);
void device_memory_free(void* memory);
/* 0, or the number of CUDA's error. They return when it is done. */
int device_memory_upload(void* device, const void* host, size_t bytes);
int device_memory_download(void* host, const void* device, size_t bytes);
/* Whether memory of the process is pinned: 0 or 1. */
int device_memory_is_pinned(const void* host);

/* A cudaStream_t; NULL if there is none. */
void* device_stream_create(void);
/* 0, or the number of the error that the stream's work ended with. */
int device_stream_synchronize(void* stream);
void device_stream_destroy(void* stream);

#ifdef __cplusplus
}
#endif

#endif
