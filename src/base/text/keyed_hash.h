// keyed_hash: a hash of bytes that nobody outside of the process can foretell.
//
//   table[keyed_hash("word") & mask]
//
// Whoever knows the hash of a table can make a file whose words all fall into one place of it, so that
// reading the file takes quadratic time. Here the hash depends on a key that each process draws at random.
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

/// SipHash-1-3 (Aumasson and Bernstein): a round for 8 bytes, three at the end.
std::uint64_t sip_hash(const HashKey& key, std::string_view bytes) noexcept;

/// Another one each time.
HashKey random_hash_key() noexcept;

/// sip_hash with the key of this process. It differs from run to run: nothing that lasts may depend on it,
/// nor the order of anything that a user sees.
std::uint64_t keyed_hash(std::string_view bytes) noexcept;

/// For containers of the standard library.
struct KeyedHash {
  std::size_t operator()(std::string_view bytes) const noexcept {
    return static_cast<std::size_t>(keyed_hash(bytes));
  }
};

}  // namespace mxinfer
