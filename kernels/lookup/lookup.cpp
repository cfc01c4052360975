#include "kernels/lookup/lookup.h"

#include <cstring>

namespace mxinfer::kernels {
namespace {

constexpr std::size_t kWord = sizeof(std::uint64_t);

// The first `n` bytes of a word, the others zero.
std::uint64_t word_at(const char* from, std::size_t n) {
  std::uint64_t word = 0;
  std::memcpy(&word, from, n);
  return word;
}

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
  return hash ^ (hash >> 32);
}

std::uint64_t hash_of(const char* text, std::size_t n) {
  std::uint64_t hash = n;
  for (; n >= kWord; n -= kWord, text += kWord) hash = mixed(hash, word_at(text, kWord));
  if (n > 0) hash = mixed(hash, word_at(text, n));
  return mixed(hash, 0);
}

bool is_value(const LookupTable& table, std::int32_t position, const char* text, std::size_t n) {
  const std::int64_t begin = table.begins[position];
  return table.begins[position + 1] - begin == static_cast<std::int64_t>(n) &&
         (n == 0 || std::memcmp(table.bytes + begin, text, n) == 0);
}

// The slot of a text, or the free one where it would be.
std::uint64_t find_slot(const LookupTable& table, std::uint64_t hash, const char* text, std::size_t n) {
  const auto upper = static_cast<std::uint32_t>(hash >> 32);
  std::uint64_t at = hash & table.mask;
  for (;; at = (at + 1) & table.mask) {
    const LookupSlot& slot = table.slots[at];
    if (slot.position < 0 || (slot.hash == upper && is_value(table, slot.position, text, n))) return at;
  }
}

template <typename T>
void lookup_rows(const LookupArgs& args, void* dst, std::int64_t begin, std::int64_t end) {
  T* out = static_cast<T*>(dst);
  for (std::int64_t row = begin; row < end; ++row) {
    const char* text = args.src + static_cast<std::size_t>(row) * args.row_bytes;
    const std::size_t n = text_bytes(text, args.row_bytes);
    const std::uint64_t at = find_slot(args.table, hash_of(text, n), text, n);
    const std::int32_t position = args.table.slots[at].position;
    out[row] = static_cast<T>(position < 0 ? args.missing : position);
  }
}

}  // namespace

std::size_t text_bytes(const char* row, std::size_t n) {
  while (n >= kWord && word_at(row + n - kWord, kWord) == 0) n -= kWord;
  while (n > 0 && row[n - 1] == 0) --n;
  return n;
}

std::int32_t insert_value(const LookupTable& table, LookupSlot* slots, std::int32_t position) {
  const std::int64_t begin = table.begins[position];
  const char* text = table.bytes + begin;
  const auto n = static_cast<std::size_t>(table.begins[position + 1] - begin);
  const std::uint64_t hash = hash_of(text, n);
  LookupSlot& slot = slots[find_slot(table, hash, text, n)];
  if (slot.position >= 0) return slot.position;
  slot = {static_cast<std::uint32_t>(hash >> 32), position};
  return -1;
}

LookupFn select_lookup(ElementType type) {
  if (type == ElementType::int32) return lookup_rows<std::int32_t>;
  return type == ElementType::float32 ? lookup_rows<float> : nullptr;
}

}  // namespace mxinfer::kernels
