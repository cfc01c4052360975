#include "kernels/common/isa_limit.h"

#include <cstdlib>
#include <cstring>

namespace mxinfer::kernels {

const char* to_string(Isa isa) noexcept {
  switch (isa) {
    case Isa::baseline:
      return "baseline";
    case Isa::avx2:
      return "avx2";
    case Isa::avx512:
      return "avx512";
    case Isa::avx512_bf16:
      return "avx512_bf16";
    case Isa::amx:
      return "amx";
  }
  return "unknown";
}

std::optional<Isa> isa_of_name(const char* name) noexcept {
  for (Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512, Isa::avx512_bf16, Isa::amx}) {
    if (std::strcmp(name, to_string(isa)) == 0) return isa;
  }
  return std::nullopt;
}

Isa isa_limit() noexcept {
  static const Isa limit = [] {
    const char* name = std::getenv(kIsaLimitVariable);
    return name == nullptr ? Isa::amx : isa_of_name(name).value_or(Isa::amx);
  }();
  return limit;
}

}  // namespace mxinfer::kernels
