// Against the examples of the documentation of S3; tests/remote/signatures_test.py compares with botocore.
#include "sources/remote/s3/s3_signature.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "sources/digest.h"

namespace mxinfer::sources {
namespace {

const AwsKeys kExampleKeys{"AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", ""};

SigningRequest example(const std::string& path) {
  SigningRequest request;
  request.host = "examplebucket.s3.amazonaws.com";
  request.path = path;
  request.region = "us-east-1";
  request.payload_hash = sha256_hex(std::string_view());
  return request;
}

SignedRequest signed_then(const SigningRequest& request, const AwsKeys& keys = kExampleKeys) {
  return sign(request, keys, *parse_utc("2013-05-24T00:00:00Z"));
}

std::string value_in(const SignedRequest& request, const std::string& name) {
  for (const std::string& line : request.headers) {
    if (line.rfind(name + ": ", 0) == 0) return line.substr(name.size() + 2);
  }
  return "none";
}

std::string authorization(const std::string& names, const std::string& signature) {
  return "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
         "SignedHeaders=" +
         names + ", Signature=" + signature;
}

TEST(S3Signature, IsThatOfTheExamples) {
  SigningRequest get = example("/test.txt");
  get.headers = {{"Range", "bytes=0-9"}};
  const SignedRequest got = signed_then(get);
  EXPECT_EQ(value_in(got, "Authorization"),
            authorization("host;range;x-amz-content-sha256;x-amz-date",
                          "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"));
  EXPECT_EQ(value_in(got, "x-amz-date"), "20130524T000000Z");
  EXPECT_EQ(value_in(got, "x-amz-content-sha256"), get.payload_hash);
  EXPECT_EQ(value_in(got, "Range"), "bytes=0-9");
  EXPECT_EQ(value_in(got, "x-amz-security-token"), "none");
  EXPECT_EQ(got.query, "");

  SigningRequest put = example("/test%24file.text");
  put.method = "PUT";
  put.headers = {{"Date", "Fri, 24 May 2013 00:00:00 GMT"}, {"x-amz-storage-class", "REDUCED_REDUNDANCY"}};
  put.payload_hash = sha256_hex(std::string_view("Welcome to Amazon S3."));
  EXPECT_EQ(value_in(signed_then(put), "Authorization"),
            authorization("date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
                          "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"));
}

TEST(S3Signature, CoversTheQueryAsItIsSent) {
  SigningRequest lifecycle = example("/");
  lifecycle.query = {{"lifecycle", ""}};
  const SignedRequest first = signed_then(lifecycle);
  EXPECT_EQ(first.query, "lifecycle=");
  EXPECT_EQ(value_in(first, "Authorization"),
            authorization("host;x-amz-content-sha256;x-amz-date",
                          "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"));
  SigningRequest list = example("/");
  list.query = {{"prefix", "J"}, {"max-keys", "2"}};
  const SignedRequest second = signed_then(list);
  EXPECT_EQ(second.query, "max-keys=2&prefix=J");
  EXPECT_EQ(value_in(second, "Authorization"),
            authorization("host;x-amz-content-sha256;x-amz-date",
                          "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"));
}

TEST(S3Signature, SortsWhatIsEncoded) {
  EXPECT_EQ(canonical_query({{"b", "x y+z"}, {"a/", "\xff"}, {"a", "2"}, {"a", "1~"}, {"a-", ""}}),
            "a=1~&a=2&a%2F=%FF&a-=&b=x%20y%2Bz");
  EXPECT_EQ(canonical_query({}), "");
}

TEST(S3Signature, CoversTheSessionsToken) {
  AwsKeys keys = kExampleKeys;
  keys.session_token = "token/+=";
  const SignedRequest request = signed_then(example("/a"), keys);
  EXPECT_EQ(value_in(request, "x-amz-security-token"), "token/+=");
  EXPECT_NE(
      value_in(request, "Authorization").find("host;x-amz-content-sha256;x-amz-date;x-amz-security-token"),
      std::string::npos);
  keys.session_token = "token/+";
  EXPECT_NE(value_in(signed_then(example("/a"), keys), "Authorization"), value_in(request, "Authorization"));
}

TEST(S3Signature, TakesHeadersAsServersDo) {
  SigningRequest one = example("/a");
  one.headers = {{"X-B", "  two \t  words  "}, {"x-empty", ""}, {"x-b", "more"}};
  SigningRequest other = example("/a");
  other.headers = {{"x-empty", "   "}, {"x-b", "two words,more"}};
  const SignedRequest first = signed_then(one);
  EXPECT_EQ(value_in(first, "Authorization"), value_in(signed_then(other), "Authorization"));
  EXPECT_EQ(value_in(first, "X-B"), "two words");
  EXPECT_NE(std::find(first.headers.begin(), first.headers.end(), "x-empty;"), first.headers.end());
}

TEST(S3Signature, IsForOneService) {
  SigningRequest request = example("/");
  request.service = "sts";
  const SignedRequest result = signed_then(request);
  EXPECT_EQ(value_in(result, "x-amz-content-sha256"), "none");
  EXPECT_NE(value_in(result, "Authorization").find("/us-east-1/sts/aws4_request"), std::string::npos);
}

}  // namespace
}  // namespace mxinfer::sources
