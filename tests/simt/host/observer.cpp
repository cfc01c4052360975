#include "simt/host/observer.h"

namespace mxinfer::simt {

Observer* observer = nullptr;

}  // namespace mxinfer::simt
