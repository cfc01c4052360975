// The memory of a pinned tensor: its owner, and behind that the elements. So a Tensor needs no member for it.
//
//   void* elements = put_owner(buffer, buffer->data());        // buffer->bytes() >= pinned_bytes(elements)
//   release_pinned(elements);                                  // the buffer too, if nothing else holds it
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

#include "base/files/aligned_memory.h"

namespace mxinfer {

using PinnedOwner = std::shared_ptr<void>;
static_assert(sizeof(PinnedOwner) <= kAlignment);

/// The bytes of memory for elements of `bytes`.
constexpr std::size_t pinned_bytes(std::size_t bytes) {
  return kAlignment + bytes;
}

/// Returns the address of the elements. `memory` is what `owner` owns.
inline void* put_owner(PinnedOwner owner, std::byte* memory) noexcept {
  new (memory) PinnedOwner(std::move(owner));
  return memory + kAlignment;
}

inline void release_pinned(void* elements) noexcept {
  void* const memory = static_cast<std::byte*>(elements) - kAlignment;
  auto* const place = std::launder(static_cast<PinnedOwner*>(memory));
  const PinnedOwner owner = std::move(*place);
  std::destroy_at(place);
}

}  // namespace mxinfer
