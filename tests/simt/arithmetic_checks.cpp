// What a GPU computes otherwise than a CPU, where C++ leaves it undefined. Kernels are compiled with a check
// before each such operation (CMakeLists.txt). Where one fails it calls a function below, under the name that
// compilers know from the sanitizer of undefined behaviour, which is not linked.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "simt/thread.h"

namespace mxinfer::simt {
namespace {

// What compilers pass, of which the place in the source comes first.
struct Source {
  const char* file;
  std::uint32_t line, column;
};
struct Type {
  std::uint16_t kind;  ///< 0: an integer; 1: a float
  std::uint16_t info;  ///< bits of a float; for integers the logarithm of their number * 2, and 1 if signed
  char name[64];       ///< in quotation marks, ends with 0

  bool is_float() const { return kind == 1; }
  unsigned bits() const { return is_float() ? info : 1u << (info >> 1); }
  bool is_signed() const { return (info & 1u) != 0; }
};
struct Cast {
  Source source;
  const Type *from, *to;
};
struct Shift {
  Source source;
  const Type *value, *count;
};
struct Division {
  Source source;
  const Type* type;
};

/// A number of a type, of at most 64 bits.
std::string text_of(const Type& type, std::uintptr_t bits) {
  char text[32];
  if (type.is_float() && type.bits() == 32) {
    float value;
    std::memcpy(&value, &bits, sizeof value);
    std::snprintf(text, sizeof text, "%.9g", static_cast<double>(value));
  } else if (type.is_float()) {
    double value;
    std::memcpy(&value, &bits, sizeof value);
    std::snprintf(text, sizeof text, "%.17g", value);
  } else if (type.is_signed()) {
    const unsigned unused = 64 - type.bits();
    const auto value = static_cast<std::int64_t>(static_cast<std::uint64_t>(bits) << unused) >> unused;
    std::snprintf(text, sizeof text, "%lld", static_cast<long long>(value));
  } else {
    std::snprintf(text, sizeof text, "%llu", static_cast<unsigned long long>(bits));
  }
  return text;
}

/// Ends the launch; the process, if it is no kernel that computes so.
template <typename Message>
[[noreturn]] void differs(const char* operation, const Source& source, const Message& message) {
  const Place place{operation, source.file, source.line};
  if (self != nullptr) fail([&] { return name_of(*self) + ": " + describe(place) + " " + message(); });
  std::fprintf(stderr, "SIMT emulator: %s %s\n", describe(place).c_str(), message().c_str());
  std::abort();
}

}  // namespace
}  // namespace mxinfer::simt

extern "C" {

// NOLINTBEGIN(bugprone-reserved-identifier): the compiler's names
[[noreturn]] void __ubsan_handle_float_cast_overflow(void* data, std::uintptr_t value) {
  using namespace mxinfer::simt;
  const auto& cast = *static_cast<const Cast*>(data);
  differs("a cast", cast.source, [&] {
    return "makes " + std::string(cast.to->name) + " of " + text_of(*cast.from, value) +
           ": a GPU gives the nearest number that there is, and 0 or another one for NaN, a CPU the "
           "smallest; "
           "call convert() of kernels/common/element_type.h";
  });
}

[[noreturn]] void __ubsan_handle_shift_out_of_bounds(void* data, std::uintptr_t value, std::uintptr_t count) {
  using namespace mxinfer::simt;
  const auto& shift = *static_cast<const Shift*>(data);
  differs("a shift", shift.source, [&] {
    return "moves " + text_of(*shift.value, value) + ", which is " + shift.value->name + ", by " +
           text_of(*shift.count, count) +
           " bits: a GPU moves all bits out, a CPU takes the count modulo the number of bits; shift by less";
  });
}

[[noreturn]] void __ubsan_handle_divrem_overflow(void* data, std::uintptr_t dividend,
                                                 std::uintptr_t divisor) {
  using namespace mxinfer::simt;
  const auto& division = *static_cast<const Division*>(data);
  differs("a division", division.source, [&] {
    return "divides " + text_of(*division.type, dividend) + " by " + text_of(*division.type, divisor) +
           ": a GPU goes on with some number, a CPU ends the process; test the divisor before";
  });
}
// NOLINTEND(bugprone-reserved-identifier)
}
