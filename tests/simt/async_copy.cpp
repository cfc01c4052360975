#include "simt/async_copy.h"

#include "simt/async_copies.h"
#include "simt/host/observer.h"
#include "simt/host/runner.h"

namespace mxinfer::simt {
namespace {

bool is_multiple(const void* pointer, int of) {
  return reinterpret_cast<std::uintptr_t>(pointer) % static_cast<unsigned>(of) == 0;
}

void check(const AsyncCopy& copy) {
  const Block& block = *self->block;
  const char* wrong = nullptr;
  if (copy.bytes < 0 || copy.bytes > copy.size || (copy.size == 4 && copy.bytes % 4 != 0))
    wrong = "copies a number of bytes that it cannot";
  else if (copy.dst < block.shared || copy.dst + copy.size > block.shared + block.shared_bytes)
    wrong = "writes outside of the block's shared memory";
  else if (!is_multiple(copy.dst, copy.size) || (copy.bytes > 0 && !is_multiple(copy.src, copy.size)))
    wrong = "has an address that is no multiple of its size";
  else if (copy.bytes > 0 && copy.src >= block.shared && copy.src < block.shared + block.shared_bytes)
    wrong = "reads shared memory, not global memory";
  if (wrong != nullptr) fail([&] { return name_of(*self) + ": " + describe(copy.place) + " " + wrong; });
}

void make(const AsyncCopy& copy) {
  if (copy.bytes > 0) std::memcpy(copy.dst, copy.src, static_cast<std::size_t>(copy.bytes));
  std::memset(copy.dst + copy.bytes, 0, static_cast<std::size_t>(copy.size - copy.bytes));
}

}  // namespace

void cp_async(void* dst, const void* src, int bytes, int size, const char* file, unsigned line) {
  AsyncCopies& copies = *self->copies;
  const char* operation = size == 16 ? "cp_async16()" : "cp_async4()";
  const AsyncCopy copy{
      static_cast<std::byte*>(dst), static_cast<const std::byte*>(src), bytes, size, copies.group,
      Place{operation, file, line}, __builtin_return_address(0)};
  check(copy);
  if (observer != nullptr) observer->begin_copy(*self, copy);
  const Options& options = runner().options;
  if (!options.is_ampere_or_later()) {
    make(copy);
    if (observer != nullptr) observer->end_copy(*self, copy);
    return;
  }
  if (!options.async_late) make(copy);
  copies.pending.push_back(copy);
}

void cp_async_commit() {
  ++self->copies->group;
}

void cp_async_wait_for(unsigned groups) {
  AsyncCopies& copies = *self->copies;
  if (observer != nullptr) observer->wait_for_copies(*self, groups);
  std::size_t done = 0;
  // A copy of group g is done when g + 1 groups of those committed must be.
  while (done < copies.pending.size() && copies.pending[done].group + 1 + groups <= copies.group) {
    if (runner().options.async_late) make(copies.pending[done]);
    if (observer != nullptr) observer->end_copy(*self, copies.pending[done]);
    ++done;
  }
  copies.pending.erase(copies.pending.begin(), copies.pending.begin() + static_cast<std::ptrdiff_t>(done));
}

}  // namespace mxinfer::simt
