// RequestMemory: pools the memory of requests, so that a warm queue allocates nothing.
//
//   void* memory = pool.take(bytes);
//   pool.give_back(memory, bytes);
#pragma once

#include <array>
#include <cstddef>
#include <mutex>

namespace mxinfer::runtime {

/// Thread-safe.
class RequestMemory {
 public:
  /// Keeps up to this many blocks of each size.
  explicit RequestMemory(std::size_t kept) : kept_(kept) {}
  ~RequestMemory();
  RequestMemory(const RequestMemory&) = delete;
  RequestMemory& operator=(const RequestMemory&) = delete;

  /// 64-byte aligned. Throws std::bad_alloc.
  void* take(std::size_t bytes);
  void give_back(void* memory, std::size_t bytes) noexcept;

 private:
  /// Sizes 256, 512, ... 4096; larger ones are not kept.
  static constexpr std::size_t kSmallest = 256, kSizes = 5;
  struct Block {
    Block* next;
  };
  struct List {
    Block* first = nullptr;
    std::size_t count = 0;
  };
  static std::size_t size_index(std::size_t bytes) noexcept;

  const std::size_t kept_;
  std::mutex mutex_{};
  std::array<List, kSizes> lists_{};
};

}  // namespace mxinfer::runtime
