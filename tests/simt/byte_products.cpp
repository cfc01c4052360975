#include "simt/byte_products.h"

#include <memory>

#include "simt/host/observer.h"
#include "simt/host/runner.h"

namespace mxinfer::simt {
namespace {

constexpr unsigned kWholeWarp = 0xffffffffu;
constexpr int kMostByteTiles = 16, kByteDepth = 32;

/// The dense matrices of a warp's tile: a is row by row, b depth by depth.
struct DenseBytes {
  int a[kMostByteTiles * 16][kByteDepth];
  int b[kByteDepth][kMostByteTiles * 8];
  std::uint32_t d[kMostByteTiles * 16][kMostByteTiles * 8];
};

const ByteFragments& fragments_of(const Warp& warp, unsigned lane) {
  return *static_cast<const ByteFragments*>(warp.lanes[lane].in);
}

template <bool SIGNED>
void gather_bytes(const Warp& warp, DenseBytes& dense) {
  for (unsigned lane = 0; lane < 32; ++lane) {
    const ByteFragments& own = fragments_of(warp, lane);
    const unsigned g = lane / 4, t = lane % 4;
    for (int m = 0; m < own.m; ++m) {
      for (unsigned r = 0; r < 4; ++r) {
        int* row = dense.a[static_cast<unsigned>(m) * 16 + g + 8 * (r % 2)] + 4 * t + 16 * (r / 2);
        for (unsigned i = 0; i < 4; ++i) row[i] = byte_of<SIGNED>(own.a[m * 4 + static_cast<int>(r)], i);
      }
    }
    for (int n = 0; n < own.n; ++n) {
      for (unsigned r = 0; r < 2; ++r) {
        for (unsigned i = 0; i < 4; ++i)
          dense.b[4 * t + 16 * r + i][static_cast<unsigned>(n) * 8 + g] =
              byte_of<true>(own.b[n * 2 + static_cast<int>(r)], i);
      }
    }
  }
}

/// Calls visit(the lane's element, its place in d) for all elements of all lanes.
template <typename Visit>
void for_each_sum(const Warp& warp, DenseBytes& dense, const Visit& visit) {
  for (unsigned lane = 0; lane < 32; ++lane) {
    const ByteFragments& own = fragments_of(warp, lane);
    const unsigned g = lane / 4, t = lane % 4;
    for (int m = 0; m < own.m; ++m) {
      for (int n = 0; n < own.n; ++n) {
        for (unsigned r = 0; r < 4; ++r) {
          visit(own.d[(m * own.n + n) * 4 + static_cast<int>(r)],
                dense.d[static_cast<unsigned>(m) * 16 + g + 8 * (r / 2)]
                       [static_cast<unsigned>(n) * 8 + 2 * t + r % 2]);
        }
      }
    }
  }
}

void multiply_bytes(DenseBytes& dense, int rows, int columns) {
  for (int i = 0; i < rows; ++i) {
    for (int k = 0; k < kByteDepth; ++k) {
      const int a = dense.a[i][k];
      for (int j = 0; j < columns; ++j) dense.d[i][j] += static_cast<std::uint32_t>(a * dense.b[k][j]);
    }
  }
}

template <bool SIGNED>
void byte_product(Warp& warp, unsigned) {
  // Not in the thread's own memory: a library that is opened late finds little of that.
  thread_local const auto kept = std::make_unique<DenseBytes>();
  DenseBytes& dense = *kept;
  const ByteFragments& first = fragments_of(warp, 0);
  if (observer != nullptr)
    observer->warp_operation(warp, WarpOperation::product, static_cast<unsigned>(first.m * first.n));
  gather_bytes<SIGNED>(warp, dense);
  for_each_sum(warp, dense, [](int own, std::uint32_t& place) { place = static_cast<std::uint32_t>(own); });
  multiply_bytes(dense, first.m * 16, first.n * 8);
  for_each_sum(warp, dense, [](int& own, std::uint32_t place) { own = static_cast<int>(place); });
}

}  // namespace

void mma_of_bytes(const ByteFragments& fragments, bool is_signed, const Place& place) {
  if (fragments.m > kMostByteTiles || fragments.n > kMostByteTiles)
    fail([&] { return describe(place) + ": a tile has at most 16 x 16 fragments"; });
  collective(kWholeWarp, &fragments, nullptr, is_signed ? byte_product<true> : byte_product<false>, place);
}

}  // namespace mxinfer::simt
