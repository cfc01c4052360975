#include <mxinfer/version.h>

namespace mxinfer {

const char* version() noexcept {
  return MXINFER_VERSION;
}

}  // namespace mxinfer
