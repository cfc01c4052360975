// Observer: told of what threads read and write by the functions of the emulator. The race detector (races/)
// is one, and hears of all else from the compiled kernels themselves.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simt/thread.h"

namespace mxinfer::simt {

struct Launch;
struct AsyncCopy;

enum class Access : std::uint8_t { read, write, atomic };

class Observer {
 public:
  virtual ~Observer() = default;
  /// While there is an observer, one launch runs at a time, on one OS thread.
  virtual void begin_launch(const Launch& launch) = 0;
  virtual void begin_block(const Block& block) = 0;
  /// `code` is where the kernel does it. Fails for what must not be.
  virtual void access(const Thread& thread, const void* address, std::size_t bytes, Access kind,
                      const void* code) = 0;
  /// cp_async has been asked for, and has been waited for.
  virtual void begin_copy(const Thread& thread, const AsyncCopy& copy) = 0;
  virtual void end_copy(const Thread& thread, const AsyncCopy& copy) = 0;
};

/// Null if nobody watches. Set before main().
extern Observer* observer;

}  // namespace mxinfer::simt
