#include "base/checksum.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace mxinfer {
namespace {

static_assert(std::endian::native == std::endian::little, "words are read as they are stored");

// As XXH3: independent sums in lanes, which compilers turn into vectors, and a mix of each lane now and then.
constexpr std::size_t kLanes = 8;
constexpr std::size_t kStripe = kLanes * sizeof(std::uint64_t);
constexpr std::size_t kStripes = 16;  // between two mixes
constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
constexpr std::uint64_t kPrime = 0xC2B2AE3D27D4EB4F;

using Lanes = std::array<std::uint64_t, kLanes>;

constexpr Lanes kKeys = {0xb8fe6c3923a44bbe, 0x7c01812cf721ad1c, 0xded46de9839097db, 0x7240a4a4b7b3671f,
                         0xcb79e64eccc0e578, 0x825ad07dccff7221, 0xb8084674f743248e, 0xe03590e6813a264c};

std::uint64_t mixed(std::uint64_t word) {
  word ^= word >> 37;
  word *= kPrime;
  return word ^ (word >> 32);
}

// Products tell where a word stands; sums keep a word whose other half is zero.
void add_words(const std::byte* bytes, std::size_t stripes, Lanes& sums, Lanes& products) {
  Lanes keys = kKeys;
  for (std::size_t s = 0; s < stripes; ++s) {
    Lanes words;
    std::memcpy(words.data(), bytes + s * kStripe, kStripe);
    for (std::size_t i = 0; i < kLanes; ++i) {
      const std::uint64_t keyed = words[i] ^ keys[i];
      products[i] += (keyed & 0xffffffff) * (keyed >> 32);
      sums[i] += words[i];
      keys[i] += kOdd;
    }
  }
}

#if defined(__x86_64__)
// The same, nearly as fast as memory.
[[gnu::target("avx2")]] void add_words_avx2(const std::byte* bytes, std::size_t stripes, Lanes& sums,
                                            Lanes& products) {
  constexpr std::size_t kVectorLanes = sizeof(__m256i) / sizeof(std::uint64_t);
  const __m256i odd = _mm256_set1_epi64x(static_cast<long long>(kOdd));
  for (std::size_t lane = 0; lane < kLanes; lane += kVectorLanes) {
    auto* const sums_of = reinterpret_cast<__m256i*>(&sums[lane]);
    auto* const products_of = reinterpret_cast<__m256i*>(&products[lane]);
    __m256i sum = _mm256_loadu_si256(sums_of), product = _mm256_loadu_si256(products_of);
    __m256i keys = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(&kKeys[lane]));
    for (std::size_t s = 0; s < stripes; ++s) {
      const std::byte* from = bytes + s * kStripe + lane * sizeof(std::uint64_t);
      const __m256i words = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
      const __m256i keyed = _mm256_xor_si256(words, keys);
      product = _mm256_add_epi64(product, _mm256_mul_epu32(keyed, _mm256_srli_epi64(keyed, 32)));
      sum = _mm256_add_epi64(sum, words);
      keys = _mm256_add_epi64(keys, odd);
    }
    _mm256_storeu_si256(sums_of, sum);
    _mm256_storeu_si256(products_of, product);
  }
}
#endif

using AddWords = void (*)(const std::byte*, std::size_t, Lanes&, Lanes&);

/// The fastest on this CPU.
AddWords fastest_add_words() {
#if defined(__x86_64__)
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  if (has_avx2) return add_words_avx2;
#endif
  return add_words;
}

void add_stripes(AddWords add, const std::byte* bytes, std::size_t stripes, Lanes& state) {
  Lanes sums{}, products{};
  add(bytes, stripes, sums, products);
  for (std::size_t i = 0; i < kLanes; ++i)
    state[i] = mixed(state[i] + sums[i]) + mixed(products[i] ^ kKeys[i]) * kOdd;
}

}  // namespace

std::uint64_t checksum64(const void* data, std::size_t bytes) {
  const auto* at = static_cast<const std::byte*>(data);
  const AddWords add = fastest_add_words();
  Lanes state = kKeys;
  std::size_t left = bytes;
  while (left >= kStripe) {
    const std::size_t stripes = std::min(kStripes, left / kStripe);
    add_stripes(add, at, stripes, state);
    at += stripes * kStripe;
    left -= stripes * kStripe;
  }
  if (left > 0) {
    std::array<std::byte, kStripe> last{};
    std::memcpy(last.data(), at, left);
    add_stripes(add, last.data(), 1, state);
  }
  std::uint64_t sum = mixed(bytes + kOdd);
  for (const std::uint64_t lane : state) sum = mixed(sum * kOdd + lane);
  return sum;
}

}  // namespace mxinfer
