#include "base/text/keyed_hash.h"

#include <gtest/gtest.h>

#include <string>

namespace mxinfer {
namespace {

TEST(KeyedHash, IsSipHash13) {
  const HashKey key = {0x0706050403020100, 0x0f0e0d0c0b0a0908};
  std::string bytes;
  for (int i = 0; i < 63; ++i) bytes += static_cast<char>(i);
  const std::string_view all = bytes;
  EXPECT_EQ(sip_hash(key, ""), 0xabac0158050fc4dcu);
  EXPECT_EQ(sip_hash(key, all.substr(0, 1)), 0xc9f49bf37d57ca93u);
  EXPECT_EQ(sip_hash(key, all.substr(0, 7)), 0xd3927d989bb11140u);
  EXPECT_EQ(sip_hash(key, all.substr(0, 8)), 0x369095118d299a8eu);
  EXPECT_EQ(sip_hash(key, all.substr(0, 15)), 0xd320d86d2a519956u);
  EXPECT_EQ(sip_hash(key, all), 0x9d199062b7bbb3a8u);
  // hash(b"hello, world") of CPython 3.11 with PYTHONHASHSEED=0.
  EXPECT_EQ(sip_hash({}, "hello, world"), 0xd792fbf81ec197f9u);
}

TEST(KeyedHash, HasARandomKey) {
  EXPECT_FALSE(random_hash_key() == random_hash_key());
  EXPECT_NE(keyed_hash("word"), sip_hash({}, "word"));
  EXPECT_EQ(keyed_hash("word"), KeyedHash()("word"));
  EXPECT_NE(keyed_hash("word"), keyed_hash("words"));
}

}  // namespace
}  // namespace mxinfer
