// keyed_hash: a hash of bytes that cannot be predicted from outside the process.
//
//   table[keyed_hash("word") & mask]
//
// With a known hash function, a file could be made whose words all collide, so that reading it takes
// quadratic time. This hash depends on a key that each process draws at random.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mxinfer {

struct HashKey {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  bool operator==(const HashKey&) const = default;
};

/// SipHash-1-3 (Aumasson and Bernstein): one round per 8 bytes, three at the end.
std::uint64_t sip_hash(const HashKey& key, std::string_view bytes) noexcept;

/// Returns a different key each time.
HashKey random_hash_key() noexcept;

/// sip_hash with the key of this process. It differs from run to run: neither stored data nor the order of
/// anything that a user sees may depend on it.
std::uint64_t keyed_hash(std::string_view bytes) noexcept;

/// For standard containers.
struct KeyedHash {
  std::size_t operator()(std::string_view bytes) const noexcept {
    return static_cast<std::size_t>(keyed_hash(bytes));
  }
};

}  // namespace mxinfer
