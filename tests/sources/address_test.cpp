#include "sources/address.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include "support/expect_error.h"

namespace mxinfer::sources {
namespace {

TEST(Address, HasItsParts) {
  const Address address = parse_address("S3://models/a/resnet18?versionId=3#sha256=ab,cd");
  EXPECT_EQ(address.scheme, "s3");
  EXPECT_EQ(address.authority, "models");
  EXPECT_EQ(address.path, "/a/resnet18");
  EXPECT_EQ(address.query, "versionId=3");
  EXPECT_EQ(digests_in(address), (std::vector<std::string>{"ab", "cd"}));
  EXPECT_EQ(to_string(address), "s3://models/a/resnet18?versionId=3#sha256=ab,cd");
}

TEST(Address, OnlyAWordBeforeTheColonIsAScheme) {
  EXPECT_TRUE(has_scheme("http://host"));
  EXPECT_TRUE(has_scheme("git+ssh://host"));
  for (const char* path : {"models/digits", "/a://b", "://b", "3d://b", "C:/models", "http:/host", ""})
    EXPECT_FALSE(has_scheme(path)) << path;
}

TEST(Address, ShowsNoSecrets) {
  EXPECT_EQ(shown("https://me:pass@host/a?X-Amz-Signature=f00&part=2#x"),
            "https://host/a?X-Amz-Signature=...&part=...");
  EXPECT_EQ(shown("https://me:p@ss@host/a@b"), "https://host/a@b");
  EXPECT_EQ(shown("models/digits?x=1"), "models/digits?x=1");
}

TEST(Address, PasswordsThatAreNotEncodedAreRefusedAndNotShown) {
  for (const char* address :
       {"http://me:se/cret@host/a", "http://me:se#cret@host/a", "http://me:se?cret@host/a",
        "http://me:/secret@host/a", "http://me:1secr/et@host/a@2x", "hdfs://nn1:8020,me:se/cret@nn2/a",
        "s3://key:se/cret@bucket/a", "https://[::1]:se/cret@host"}) {
    const std::string scheme(address, std::string(address).find("://") + 3);
    EXPECT_EQ(shown(address), scheme + "...");
    EXPECT_MXINFER_ERROR(parse_address(address), ErrorCode::invalid_argument,
                         {"'" + scheme + "...'", "%2F", "%23"});
  }
}

TEST(Address, MayHaveAnAtSignInItsPath) {
  for (const char* address : {"http://host/path@2x/file", "http://host:8080/path@2x/file",
                              "http://host/a:b@c", "http://[::1]/a@b:c", "http://[::1]:8080/a@b",
                              "s3://bucket/key@v1", "hdfs:///a@b", "hdfs://nn1:8020,nn2:8020/a:b@c"}) {
    EXPECT_EQ(shown(address), address);
    EXPECT_EQ(to_string(parse_address(address)), address);
  }
  EXPECT_EQ(shown("https://me:se%2Fcret@host:8080/a@b"), "https://host:8080/a@b");
}

TEST(Address, ShowsWhichVersionOfAnObjectIsMeant) {
  EXPECT_EQ(shown("s3://models/a?versionId=3/L%3D#x"), "s3://models/a?versionId=3/L%3D");
  EXPECT_EQ(shown("S3://models/a?versionId=3&key=geheim"), "S3://models/a?versionId=3&key=...");
  EXPECT_EQ(shown("s3://models/a?versionIds=geheim"), "s3://models/a?versionIds=...");
  EXPECT_EQ(shown("https://models.example/a?versionId=geheim"), "https://models.example/a?versionId=...");
}

TEST(Address, SpacesAndOtherFragmentsAreErrors) {
  EXPECT_MXINFER_ERROR(parse_address("http://host/a b"), ErrorCode::invalid_argument,
                       {"http://host/a b", "%20"});
  EXPECT_MXINFER_ERROR(parse_address("http://host/a\r\nX: y"), ErrorCode::invalid_argument,
                       {"control characters"});
  EXPECT_MXINFER_ERROR(digests_in(parse_address("http://host/a#md5=3")), ErrorCode::invalid_argument,
                       {"#md5=3", "#sha256="});
}

TEST(Address, OfAFileIsAPath) {
  EXPECT_EQ(name_in_address("50% of #1?\n(café).jpg"), "50%25%20of%20%231%3F%0A(café).jpg");
  EXPECT_TRUE(is_remote("s3://a/b c"));
  EXPECT_FALSE(is_remote("FILE:///a b"));
  EXPECT_FALSE(is_remote("models/digits"));
  EXPECT_EQ(path_of_file("models/digits"), "models/digits");
  EXPECT_EQ(path_of_file("file:///a%20b/c"), "/a b/c");
  EXPECT_EQ(path_of_file("file://localhost/a"), "/a");
  EXPECT_MXINFER_ERROR(path_of_file("https://host/a?key=geheim"), ErrorCode::invalid_argument,
                       {"'https://host/a?key=...' is an address"});
  EXPECT_MXINFER_ERROR(path_of_file("file://server/share"), ErrorCode::invalid_argument,
                       {"server", "file:///"});
}

TEST(Address, IsEncodedAndDecoded) {
  EXPECT_EQ(percent_encoded("a b/c~_.-\xc3\xa9"), "a%20b%2Fc~_.-%C3%A9");
  EXPECT_EQ(percent_encoded("a b/c", "/"), "a%20b/c");
  EXPECT_EQ(percent_decoded("a%20b%2fc%"), "a b/c%");
  EXPECT_EQ(percent_decoded("%zz%4"), "%zz%4");
}

}  // namespace
}  // namespace mxinfer::sources
