#include "simt/observer.h"

namespace mxinfer::simt {

Observer* observer = nullptr;

}  // namespace mxinfer::simt
