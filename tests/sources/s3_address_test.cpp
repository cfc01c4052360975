#include "sources/remote/s3/s3_address.h"

#include <gtest/gtest.h>

#include <string>

#include "support/expect_error.h"

namespace mxinfer::sources {
namespace {

const S3Service kAws{"eu-west-1"};
const S3Service kMinio{"us-east-1", "http://127.0.0.1:9000"};

std::string place_of(const std::string& address, const S3Service& service = kAws) {
  const HttpPlace place = s3_place(parse_s3_address(address), service);
  return place.scheme + "://" + place.host + place.path;
}

TEST(S3Address, HasABucketAndAKey) {
  const S3Address address = parse_s3_address("s3://models/a%20b/c+d%2525?versionId=x%2By%3D#sha256=00");
  EXPECT_EQ(address.bucket, "models");
  EXPECT_EQ(address.key, "a b/c+d%25");
  EXPECT_EQ(address.query, (NamedValues{{"versionId", "x+y="}}));
  EXPECT_EQ(parse_s3_address("s3://models").key, "");
  EXPECT_EQ(parse_s3_address("s3://models/").key, "");
  EXPECT_EQ(parse_s3_address("s3://models//a//b/").key, "/a//b/");
}

TEST(S3Address, IsAHostOfTheRegion) {
  EXPECT_EQ(place_of("s3://models/digits"), "https://models.s3.eu-west-1.amazonaws.com/digits");
  EXPECT_EQ(place_of("s3://models/digits", {"cn-north-1"}),
            "https://models.s3.cn-north-1.amazonaws.com.cn/digits");
  EXPECT_EQ(place_of("s3://models/digits", {"us-gov-west-1"}),
            "https://models.s3.us-gov-west-1.amazonaws.com/digits");
  EXPECT_EQ(place_of("s3://models/digits", {"eu-west-1", "", true}),
            "https://s3.eu-west-1.amazonaws.com/models/digits");
  // A certificate of *.s3.eu-west-1.amazonaws.com is none of a.b.s3.eu-west-1.amazonaws.com.
  EXPECT_EQ(place_of("s3://my.models/digits"), "https://s3.eu-west-1.amazonaws.com/my.models/digits");
  EXPECT_EQ(place_of("s3://my.models/digits", {"eu-west-1", "", false}),
            "https://my.models.s3.eu-west-1.amazonaws.com/digits");
  EXPECT_EQ(place_of("s3://models"), "https://models.s3.eu-west-1.amazonaws.com/");
}

TEST(S3Address, IsEncodedAsS3Does) {
  EXPECT_EQ(place_of("s3://models/a%20b/(c)+d=e,f@g:h&i;j$k!*'~-._/"),
            "https://models.s3.eu-west-1.amazonaws.com/a%20b/"
            "%28c%29%2Bd%3De%2Cf%40g%3Ah%26i%3Bj%24k%21%2A%27~-._/");
  EXPECT_EQ(place_of("s3://models/\xc3\xa9%C3%A9%3f%23%00%"),
            "https://models.s3.eu-west-1.amazonaws.com/%C3%A9%C3%A9%3F%23%00%25");
  EXPECT_EQ(place_of("s3://models//a//b"), "https://models.s3.eu-west-1.amazonaws.com//a//b");
}

TEST(S3Address, IsAtAnEndpoint) {
  EXPECT_EQ(place_of("s3://models/digits", kMinio), "http://127.0.0.1:9000/models/digits");
  EXPECT_EQ(place_of("s3://models", kMinio), "http://127.0.0.1:9000/models/");
  EXPECT_EQ(place_of("s3://models/digits", {"garage", "HTTPS://Minio.Example:443/s3//"}),
            "https://minio.example/s3/models/digits");
  EXPECT_EQ(place_of("s3://models/digits", {"garage", "http://minio.example:80", false}),
            "http://models.minio.example/digits");
  EXPECT_EQ(place_of("s3://models/digits", {"garage", "https://minio.example:80"}),
            "https://minio.example:80/models/digits");
  EXPECT_EQ(place_of("s3://models/digits", {"garage", "http://[::1]:9000"}),
            "http://[::1]:9000/models/digits");
  for (const char* host : {"http://127.0.0.1:9000", "http://127.0.0.1", "http://[::1]:9000"}) {
    EXPECT_MXINFER_ERROR(place_of("s3://models/digits", {"garage", host, false}), ErrorCode::invalid_argument,
                         {host, "IP address", "path_style"});
  }
}

TEST(S3Address, EndpointsAreAddresses) {
  for (const char* endpoint :
       {"minio.example:9000", "ftp://minio.example", "https://", "https:///a", "https://minio.example?a=b",
        "https://minio.example#a", "https://minio.example\\@other", "https://minio.example/a/../b"}) {
    EXPECT_MXINFER_ERROR(place_of("s3://models/a", {"garage", endpoint}), ErrorCode::invalid_argument,
                         {"endpoint", "https://minio.example:9000", "AWS_ENDPOINT_URL"});
  }
  try {
    place_of("s3://models/a", {"garage", "https://me:secret@minio.example"});
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(std::string(e.what()).find("secret"), std::string::npos) << e.what();
  }
}

TEST(S3Address, BucketsHaveRules) {
  for (const std::string name : {"ab", "", "-ab", "ab-", ".ab", "ab.", "a..b", "Models", "my_models",
                                 "192.168.5.4", "a%62c", "user@models", "models:80", "arn:aws:s3:::models"}) {
    EXPECT_MXINFER_ERROR(place_of("s3://" + name + "/a"), ErrorCode::invalid_argument,
                         {"'" + name + "'", "3 to 63", "IP address"});
  }
  const std::string longest(63, 'a');
  EXPECT_EQ(place_of("s3://" + longest + "/b"), "https://" + longest + ".s3.eu-west-1.amazonaws.com/b");
  EXPECT_MXINFER_ERROR(place_of("s3://" + longest + "a/b"), ErrorCode::invalid_argument, {"3 to 63"});
  EXPECT_EQ(place_of("s3://a1-b.2c/d"), "https://s3.eu-west-1.amazonaws.com/a1-b.2c/d");
}

TEST(S3Address, OtherServersTakeOtherNames) {
  for (const std::string name : {"Models", "my_models", "192.168.5.4"})
    EXPECT_EQ(place_of("s3://" + name + "/a", kMinio), "http://127.0.0.1:9000/" + name + "/a");
  EXPECT_MXINFER_ERROR(place_of("s3://my_models/a", {"garage", "https://minio.example", false}),
                       ErrorCode::invalid_argument, {"my_models", "path_style"});
  for (const std::string name : {"..", "a%2fb", "a@b"})
    EXPECT_MXINFER_ERROR(place_of("s3://" + name + "/a", kMinio), ErrorCode::invalid_argument, {name});
}

TEST(S3Address, RegionsAreChecked) {
  for (const std::string region : {"", "eu west", "evil.example/", "EU", "-a", "a-", "a.b", "a\nb"}) {
    EXPECT_MXINFER_ERROR(place_of("s3://models/a", {region}), ErrorCode::invalid_argument,
                         {"region", "eu-west-1", "AWS_REGION"});
    EXPECT_MXINFER_ERROR(place_of("s3://models/a", {region, "http://127.0.0.1:9000"}),
                         ErrorCode::invalid_argument, {"region"});
  }
}

TEST(S3Address, DotsBetweenSlashesAreRefused) {
  for (const char* key : {".", "..", "a/../b", "./a", "a/.", "a/%2e%2e/b", "%2E/a"})
    EXPECT_MXINFER_ERROR(parse_s3_address(std::string("s3://models/") + key), ErrorCode::invalid_argument,
                         {"'.' or '..'", "s3://models/"});
  EXPECT_EQ(parse_s3_address("s3://models/.a/b../...").key, ".a/b../...");
}

TEST(S3Address, OnlyAVersionIsAQuery) {
  for (const char* query :
       {"acl", "versionId", "versionId=", "partNumber=1", "versionId=1&versionId=2", "versionId=1%26acl"})
    EXPECT_MXINFER_ERROR(parse_s3_address(std::string("s3://models/a?") + query), ErrorCode::invalid_argument,
                         {"?versionId=...", "%3F"});
}

}  // namespace
}  // namespace mxinfer::sources
