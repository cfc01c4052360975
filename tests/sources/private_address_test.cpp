#include "sources/remote/http/private_address.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>

namespace mxinfer::sources {
namespace {

bool is_private(const char* text) {
  sockaddr_storage storage{};
  auto* const v4 = reinterpret_cast<sockaddr_in*>(&storage);
  auto* const v6 = reinterpret_cast<sockaddr_in6*>(&storage);
  if (::inet_pton(AF_INET, text, &v4->sin_addr) == 1) {
    storage.ss_family = AF_INET;
  } else {
    EXPECT_EQ(::inet_pton(AF_INET6, text, &v6->sin6_addr), 1) << text;
    storage.ss_family = AF_INET6;
  }
  EXPECT_EQ(address_text(reinterpret_cast<sockaddr&>(storage)), text);
  return is_private_address(reinterpret_cast<sockaddr&>(storage));
}

TEST(PrivateAddress, OfNobodyElse) {
  for (const char* text : {"127.0.0.1", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1",
                           "169.254.169.254", "100.64.0.1", "0.0.0.0", "::", "::1", "fe80::1", "fd00::1",
                           "fc00::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1"})
    EXPECT_TRUE(is_private(text)) << text;
  for (const char* text : {"8.8.8.8", "172.15.0.1", "172.32.0.1", "192.169.0.1", "100.128.0.1", "169.253.0.1",
                           "11.0.0.1", "2001:db8::1", "::ffff:8.8.8.8"})
    EXPECT_FALSE(is_private(text)) << text;
}

}  // namespace
}  // namespace mxinfer::sources
