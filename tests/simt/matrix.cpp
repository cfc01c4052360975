#include "simt/matrix.h"

#include <cstring>
#include <memory>

#include "simt/half.h"
#include "simt/host/observer.h"
#include "simt/host/runner.h"

namespace mxinfer::simt {
namespace {

constexpr unsigned kAllLanes = 0xffffffffu;
constexpr int kMostTiles = 16;

struct Row {
  const std::byte* address;
  Place place;
  const void* code;  ///< the address that asks for it; null: no observer is told
};

void check_rows(const Warp& warp) {
  const Block& block = *warp.lanes[0].block;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const Row& row = *static_cast<const Row*>(warp.lanes[lane].in);
    const bool inside = row.address >= block.shared && row.address + 16 <= block.shared + block.shared_bytes;
    if (inside && reinterpret_cast<std::uintptr_t>(row.address) % 16 == 0) {
      if (observer != nullptr && row.code != nullptr)
        observer->load_matrix(warp.lanes[lane], row.address, row.code);
      continue;
    }
    fail([&] {
      return name_of(warp.lanes[lane]) + ": the row of " + describe(row.place) +
             (inside ? " is no multiple of 16 bytes" : " is outside of the block's shared memory");
    });
  }
}

template <bool kTransposed>
void load(Warp& warp, unsigned) {
  check_rows(warp);
  for (unsigned lane = 0; lane < 32; ++lane) {
    auto* registers = static_cast<std::uint32_t*>(warp.lanes[lane].out);
    const unsigned g = lane / 4, t = lane % 4;
    for (unsigned matrix = 0; matrix < 4; ++matrix) {
      std::uint16_t halves[2];
      for (unsigned i = 0; i < 2; ++i) {
        const unsigned row = kTransposed ? 2 * t + i : g, column = kTransposed ? g : 2 * t + i;
        const auto* from = static_cast<const Row*>(warp.lanes[8 * matrix + row].in);
        std::memcpy(&halves[i], from->address + 2 * column, 2);
      }
      registers[matrix] = halves[0] | static_cast<std::uint32_t>(halves[1]) << 16;
    }
  }
}

float from_bfloat16(std::uint32_t bits) {
  return bits_float(bits << 16);
}

/// The dense matrices of a warp's tile: a is row by row, b depth by depth.
struct Dense {
  float a[kMostTiles * 16][16];
  float b[16][kMostTiles * 8];
  float d[kMostTiles * 16][kMostTiles * 8];
};

/// Two operands of a register; of tf32 one.
template <MmaType kType>
void spread(std::uint32_t bits, float* first, float* second) {
  if (kType == MmaType::tf32) {
    *first = bits_float(bits & ~0x1fffu);
  } else if (kType == MmaType::float16) {
    *first = from_float16(static_cast<std::uint16_t>(bits));
    *second = from_float16(static_cast<std::uint16_t>(bits >> 16));
  } else {
    *first = from_bfloat16(bits & 0xffffu);
    *second = from_bfloat16(bits >> 16);
  }
}

template <MmaType kType>
void gather(const Warp& warp, Dense& dense) {
  constexpr bool kWide = kType == MmaType::tf32;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const Fragments& own = *static_cast<const Fragments*>(warp.lanes[lane].in);
    const unsigned g = lane / 4, t = lane % 4;
    float unused = 0;
    for (int m = 0; m < own.m; ++m) {
      for (unsigned r = 0; r < 4; ++r) {
        float* row = dense.a[static_cast<unsigned>(m) * 16 + g + 8 * (r % 2)];
        const unsigned depth = kWide ? t + 4 * (r / 2) : 2 * t + 8 * (r / 2);
        spread<kType>(own.a[m * 4 + static_cast<int>(r)], &row[depth], kWide ? &unused : &row[depth + 1]);
      }
    }
    for (int n = 0; n < own.n; ++n) {
      for (unsigned r = 0; r < 2; ++r) {
        const unsigned column = static_cast<unsigned>(n) * 8 + g, depth = kWide ? t + 4 * r : 2 * t + 8 * r;
        spread<kType>(own.b[n * 2 + static_cast<int>(r)], &dense.b[depth][column],
                      kWide ? &unused : &dense.b[depth + 1][column]);
      }
    }
  }
}

/// Calls visit(the lane's element, its place in d) for all elements of all lanes.
template <typename Visit>
void for_each_result(const Warp& warp, Dense& dense, const Visit& visit) {
  for (unsigned lane = 0; lane < 32; ++lane) {
    const Fragments& own = *static_cast<const Fragments*>(warp.lanes[lane].in);
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

void multiply(Dense& dense, int rows, int columns, int depth) {
  for (int i = 0; i < rows; ++i) {
    float* d = dense.d[i];
    for (int k = 0; k < depth; ++k) {
      const float a = dense.a[i][k];
      const float* b = dense.b[k];
      for (int j = 0; j < columns; ++j) d[j] += a * b[j];
    }
  }
}

template <MmaType kType>
void product(Warp& warp, unsigned) {
  // Not in the thread's own memory: a library that is opened late finds little of that.
  thread_local const auto kept = std::make_unique<Dense>();
  Dense& dense = *kept;
  const Fragments& first = *static_cast<const Fragments*>(warp.lanes[0].in);
  if (observer != nullptr)
    observer->warp_operation(warp, WarpOperation::product, static_cast<unsigned>(first.m * first.n));
  gather<kType>(warp, dense);
  for_each_result(warp, dense, [](const float& own, float& place) { place = own; });
  multiply(dense, first.m * 16, first.n * 8, kType == MmaType::tf32 ? 8 : 16);
  for_each_result(warp, dense, [](float& own, const float& place) { own = place; });
}

}  // namespace

void ldmatrix_by(const void* code, std::uint32_t* registers, const void* row, bool transposed,
                 const Place& place) {
  const Row in{static_cast<const std::byte*>(row), place, code};
  collective(kAllLanes, &in, registers, transposed ? load<true> : load<false>, place);
}

void ldmatrix(std::uint32_t* registers, const void* row, bool transposed, const Place& place) {
  ldmatrix_by(__builtin_return_address(0), registers, row, transposed, place);
}

void mma(const Fragments& fragments, MmaType type, const Place& place) {
  if (fragments.m > kMostTiles || fragments.n > kMostTiles)
    fail([&] { return describe(place) + ": a tile has at most 16 x 16 fragments"; });
  if (type != MmaType::float16 && !runner().options.is_ampere_or_later())
    fail([&] { return name_of(*self) + ": " + describe(place) + " is not there before architecture 8.0"; });
  const Compute compute = type == MmaType::float16    ? product<MmaType::float16>
                          : type == MmaType::bfloat16 ? product<MmaType::bfloat16>
                                                      : product<MmaType::tf32>;
  collective(kAllLanes, &fragments, nullptr, compute, place);
}

}  // namespace mxinfer::simt
