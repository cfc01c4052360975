#include <mxinfer/sequence/tokenizer.h>

#include "base/fail.h"
#include "sources/opener.h"

namespace mxinfer {

Tokenizer Tokenizer::sentencepiece(const std::string& uri) try {
  const sources::Opener opener;
  return in_context([&] { return uri; }, [&] { return sentencepiece(ByteSpan(opener.read(uri))); });
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
