#include <mxinfer/sequence/tokenizer.h>

#include "base/fail.h"
#include "sources/opener.h"

namespace mxinfer {

Tokenizer Tokenizer::sentencepiece(const std::string& uri) try {
  const std::vector<std::byte> model = sources::Opener().read(uri);
  return in_context([&] { return printable(uri); }, [&] { return sentencepiece(ByteSpan(model)); });
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
