#include "simt/warpgroup.h"

#include <algorithm>

#include "simt/group_products.h"
#include "simt/half.h"
#include "simt/host/observer.h"
#include "simt/host/runner.h"

namespace mxinfer::simt {
namespace {

constexpr int kMostColumns = 16;  // fragments of the right operand of a product
/// What registers of sums hold while the instruction has them: a NaN that no arithmetic gives.
constexpr std::uint32_t kTaken = 0x7fdead00u;

[[noreturn]] void fail_at(const Place& place, const char* what) {
  fail([&] { return name_of(*self) + ": " + describe(place) + " " + what; });
}

void check_rows(const std::uint32_t* first_row, const Place& place) {
  constexpr std::uintptr_t kEightRows = 1024;
  if (reinterpret_cast<std::uintptr_t>(first_row) % kEightRows != 0)
    fail_at(place, "has rows that begin at no multiple of 1024 bytes");
}

/// Chunk c of a row, swizzled, where `first` is at a multiple of 8 rows.
const std::uint32_t* chunk_of(const std::uint32_t* first, int row, int chunk) {
  return first + row * 32 + (chunk ^ row % 8) * 4;
}

/// The lane's row of ldmatrix, of the 16 rows of the warp.
const std::uint32_t* left_row(const GroupProduct& product) {
  const int lane = static_cast<int>(self->lane), warp = static_cast<int>(self->number) / 32 % 4;
  return chunk_of(product.left, 16 * warp + lane % 16, 2 * product.slice + lane / 16);
}

/// The same of fragments n and n + 1 of the right operand.
const std::uint32_t* right_row(const GroupProduct& product, int n) {
  const int lane = static_cast<int>(self->lane);
  return chunk_of(product.right, 8 * n + lane % 8 + lane / 16 * 8, 2 * product.slice + lane / 8 % 2);
}

/// Who reads the right operand: the instruction does it once for all four warps.
const void* right_code(const GroupProduct& product) {
  return self->number / 32 % 4 == 0 ? product.code : nullptr;
}

/// Tells the observer that a product that is not computed now reads its rows.
void keep_rows(const GroupProduct& product) {
  if (observer == nullptr) return;
  if (product.left != nullptr) observer->keep_matrix(*self, left_row(product), product.code);
  for (int n = 0; n < product.count && right_code(product) != nullptr; n += 2)
    observer->keep_matrix(*self, right_row(product, n), product.code);
}

GroupSums* find_sums(GroupProducts& products, const float* registers) {
  for (GroupSums& sums : products.sums) {
    if (sums.registers == registers) return &sums;
  }
  return nullptr;
}

/// The sums' registers are the instruction's from now on.
void take_registers(GroupProducts& products, float* registers, int count, const Place& place) {
  const float* const end = registers + 4 * count;
  for (const GroupSums& sums : products.sums) {
    const float* const other_end = sums.registers + sums.values.size();
    if (sums.registers == registers && other_end == end) return;
    if (registers < other_end && sums.registers < end)
      fail_at(place, "has some of the sums of a product of another shape; call group_end() between them");
  }
  if (!products.has_begun) fail_at(place, "has sums that the thread has written; call group_begin() before");
  products.sums.push_back({registers, {registers, registers + 4 * count}});
  std::fill(registers, registers + 4 * count, bits_float(kTaken));
}

void multiply(GroupProducts& products, GroupProduct& product) {
  std::uint32_t right[kMostColumns][2];
  for (int n = 0; n < product.count; n += 2) {
    std::uint32_t both[4];
    ldmatrix_by(right_code(product), both, right_row(product, n), false, product.place);
    for (int r = 0; r < 4; ++r) right[n + r / 2][r % 2] = both[r];
  }
  std::uint32_t left[4];
  if (product.left != nullptr) {
    ldmatrix_by(product.code, left, left_row(product), false, product.place);
  } else {
    std::copy(product.fragments, product.fragments + 4, left);
  }
  float* const values = find_sums(products, product.sums)->values.data();
  mma({left, right[0], values, 1, product.count}, product.type, product.place);
  product.done = true;
}

}  // namespace

void group_begin() {
  self->products->has_begun = true;
}

void group_commit() {
  ++self->products->group;
  self->products->has_begun = false;
}

void begin_product(const GroupOperands& operands, float* sums, int count, MmaType type, const Place& place) {
  const Options& options = runner().options;
  if (options.major != 9) fail_at(place, "is only there in architecture 9.0");
  if (self->block->threads % 128 != 0) fail_at(place, "is of 4 warps, and the block has others");
  check_rows(operands.right, place);
  if (operands.left != nullptr) check_rows(operands.left, place);
  GroupProducts& products = *self->products;
  if (operands.left == nullptr && !products.has_begun)
    fail_at(place, "has an operand in registers; call group_begin() before");
  take_registers(products, sums, count, place);
  products.pending.push_back({operands.left, operands.fragments, operands.right, sums, count, operands.slice,
                              type, products.group, place, __builtin_return_address(0), false});
  if (options.multiply_late) {
    keep_rows(products.pending.back());
  } else {
    multiply(products, products.pending.back());
  }
}

void group_wait_for(unsigned groups) {
  GroupProducts& products = *self->products;
  std::size_t done = 0;
  // A product of group g is done when g + 1 groups of those committed must be.
  while (done < products.pending.size() && products.pending[done].group + 1 + groups <= products.group) {
    GroupProduct& product = products.pending[done++];
    if (product.done) {
      keep_rows(product);
    } else {
      multiply(products, product);
    }
  }
  products.pending.erase(products.pending.begin(),
                         products.pending.begin() + static_cast<std::ptrdiff_t>(done));
}

void end_sums(float* sums, int count, const Place& place) {
  GroupProducts& products = *self->products;
  const float* const end = sums + 4 * count;
  const auto is_within = [&](const float* registers) { return registers >= sums && registers < end; };
  for (const GroupProduct& product : products.pending) {
    if (!is_within(product.sums)) continue;
    fail([&] {
      return name_of(*self) + ": " + describe(place) + " is of sums of " + describe(product.place) +
             ", which has not been waited for; call group_commit() and group_wait()";
    });
  }
  for (const GroupSums& one : products.sums) {
    if (!is_within(one.registers)) continue;
    for (std::size_t i = 0; i < one.values.size(); ++i) {
      if (float_bits(one.registers[i]) != kTaken) fail_at(place, "is of sums that were changed before it");
      one.registers[i] = one.values[i];
    }
  }
  std::erase_if(products.sums, [&](const GroupSums& one) { return is_within(one.registers); });
}

}  // namespace mxinfer::simt
