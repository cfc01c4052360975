// In the place of sentencepiece_test.cpp where mxinfer is built without SentencePiece's library.
#include <gtest/gtest.h>
#include <mxinfer/sequence/tokenizer.h>

#include "support/expect_error.h"
#include "support/files/sentencepiece_writer.h"

namespace mxinfer::test {
namespace {

TEST(NoSentencePiece, SaysHowItIsBuilt) {
  const std::string model = small_sentencepiece().finish();
  EXPECT_MXINFER_ERROR(Tokenizer::sentencepiece(ByteSpan(model)), ErrorCode::unsupported,
                       {"built without", "MXINFER_SENTENCEPIECE=OFF"});
}

}  // namespace
}  // namespace mxinfer::test
