// What the emulated GPUs have done so far, for tests that count it: copies, and launches of kernels. Work of
// a recording counts each time that it is replayed.
#pragma once

#include <cstddef>

namespace mxinfer::simt {

// Thread-safe.
void count_copy_to_device(std::size_t bytes);
void count_launch(const void* kernel);

}  // namespace mxinfer::simt

/// Copies from the process to a device so far, their bytes, and launches of a kernel or all instances of a
/// template: "chain_pixels". Found with dlsym.
extern "C" __attribute__((visibility("default"))) unsigned long long mxinfer_simt_copies_to_device();
extern "C" __attribute__((visibility("default"))) unsigned long long mxinfer_simt_bytes_to_device();
extern "C" __attribute__((visibility("default"))) unsigned long long mxinfer_simt_launches(
    const char* kernel);
