#include "base/text/keyed_hash.h"

#include <bit>
#include <chrono>
#include <cstring>
#include <exception>
#include <random>

namespace mxinfer {
namespace {

class SipState {
 public:
  explicit SipState(const HashKey& key) noexcept
      : a_(key.first ^ 0x736f6d6570736575),
        b_(key.second ^ 0x646f72616e646f6d),
        c_(key.first ^ 0x6c7967656e657261),
        d_(key.second ^ 0x7465646279746573) {}

  void add(std::uint64_t block) noexcept {
    d_ ^= block;
    round();
    a_ ^= block;
  }

  std::uint64_t finish() noexcept {
    c_ ^= 0xff;
    for (int i = 0; i < 3; ++i) round();
    return a_ ^ b_ ^ c_ ^ d_;
  }

 private:
  void round() noexcept {
    a_ += b_;
    b_ = std::rotl(b_, 13) ^ a_;
    a_ = std::rotl(a_, 32);
    c_ += d_;
    d_ = std::rotl(d_, 16) ^ c_;
    a_ += d_;
    d_ = std::rotl(d_, 21) ^ a_;
    c_ += b_;
    b_ = std::rotl(b_, 17) ^ c_;
    c_ = std::rotl(c_, 32);
  }

  std::uint64_t a_, b_, c_, d_;
};

// At most 8 bytes, the first one lowest.
std::uint64_t little_endian(std::string_view bytes) noexcept {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

std::uint64_t whole_block(const char* bytes) noexcept {
  if constexpr (std::endian::native == std::endian::little) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes, sizeof value);
    return value;
  } else {
    return little_endian({bytes, 8});
  }
}

}  // namespace

std::uint64_t sip_hash(const HashKey& key, std::string_view bytes) noexcept {
  SipState state(key);
  const std::uint64_t length = bytes.size();
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) state.add(whole_block(bytes.data()));
  state.add(little_endian(bytes) | length << 56);
  return state.finish();
}

HashKey random_hash_key() noexcept {
  try {
    std::random_device device;
    const auto draw = [&] { return std::uint64_t{device()} << 32 | device(); };
    const std::uint64_t first = draw();
    return {first, draw()};
  } catch (const std::exception&) {
    // Without a source of randomness: something that is hard to guess.
    const int local = 0;
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    return {static_cast<std::uint64_t>(now), reinterpret_cast<std::uintptr_t>(&local)};
  }
}

std::uint64_t keyed_hash(std::string_view bytes) noexcept {
  static const HashKey key = random_hash_key();
  return sip_hash(key, bytes);
}

}  // namespace mxinfer
