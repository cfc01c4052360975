#include "sources/digest.h"

#include <gtest/gtest.h>

#include <string>

#include "support/expect_error.h"

namespace mxinfer::sources {
namespace {

// FIPS 180-2, appendix B, and RFC 1321, appendix A.5.
TEST(Digest, IsThatOfTheStandards) {
  EXPECT_EQ(sha256_hex(std::string_view("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex(std::string_view("")),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  Digest md5(DigestKind::md5);
  md5.add("message ", 8);
  md5.add("digest", 6);
  EXPECT_EQ(md5.hex(), "f96b697d7cb7938d525a2f31aaf161d0");
}

// RFC 4231, cases 1, 2 and 6.
TEST(Digest, SignsAsHmacDoes) {
  EXPECT_EQ(to_hex(hmac_sha256(std::string(20, '\x0b'), "Hi There")),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(to_hex(hmac_sha256("Jefe", "what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(
      to_hex(hmac_sha256(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First")),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(Digest, IsCheckedOverAllBytes) {
  const std::string text(3'000'000, 'x');
  const auto source = from_memory({reinterpret_cast<const std::byte*>(text.data()), text.size()}, "weights");
  const std::string digest = sha256_hex(std::string_view(text));
  std::string upper = digest;
  for (char& c : upper) c = static_cast<char>(std::toupper(c));
  check_digest(*source, {});
  check_digest(*source, {std::string(64, '0'), upper});
  EXPECT_MXINFER_ERROR(check_digest(*source, {std::string(64, '0')}), ErrorCode::malformed,
                       {"weights", digest, "0000", "labels"});
  EXPECT_MXINFER_ERROR(check_digest(*source, {"abc"}), ErrorCode::invalid_argument, {"'abc'", "64"});
}

}  // namespace
}  // namespace mxinfer::sources
