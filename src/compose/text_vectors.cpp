#include "compose/text_vectors.h"

#include "base/fail.h"

namespace mxinfer::api {

TextVectors load_text_vectors(const std::string& uri) {
  fail(ErrorCode::unsupported, "vectors '", printable(uri), "' cannot be read yet");
}

}  // namespace mxinfer::api
