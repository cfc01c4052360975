// To be included by one file of a test program: the address sanitizer then refuses allocations of more than a
// gigabyte, as a system without memory does, instead of ending the program.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options() {
  return "allocator_may_return_null=1:max_allocation_size_mb=1024";
}
#endif
