#include "sources/remote/http/private_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <cstdint>
#include <cstring>

namespace mxinfer::sources {
namespace {

/// Precondition: in the order of this machine.
bool is_private_v4(std::uint32_t address) {
  const auto in = [&](std::uint32_t network, int bits) {
    return address >> (32 - bits) == network >> (32 - bits);
  };
  return in(0, 8) || in(0x0a000000, 8) || in(0x64400000, 10) || in(0x7f000000, 8) || in(0xa9fe0000, 16) ||
         in(0xac100000, 12) || in(0xc0a80000, 16);
}

bool is_private_v6(const in6_addr& address) {
  if (IN6_IS_ADDR_V4MAPPED(&address) || IN6_IS_ADDR_V4COMPAT(&address)) {
    std::uint32_t inner = 0;
    std::memcpy(&inner, address.s6_addr + 12, sizeof inner);
    if (IN6_IS_ADDR_V4MAPPED(&address)) return is_private_v4(ntohl(inner));
  }
  return IN6_IS_ADDR_UNSPECIFIED(&address) || IN6_IS_ADDR_LOOPBACK(&address) ||
         IN6_IS_ADDR_LINKLOCAL(&address) || (address.s6_addr[0] & 0xfe) == 0xfc;
}

}  // namespace

bool is_private_address(const sockaddr& address) {
  if (address.sa_family == AF_INET) {
    sockaddr_in v4{};
    std::memcpy(&v4, &address, sizeof v4);
    return is_private_v4(ntohl(v4.sin_addr.s_addr));
  }
  if (address.sa_family != AF_INET6) return true;
  sockaddr_in6 v6{};
  std::memcpy(&v6, &address, sizeof v6);
  return is_private_v6(v6.sin6_addr);
}

bool is_private_address(const std::string& text) {
  in_addr v4{};
  if (::inet_pton(AF_INET, text.c_str(), &v4) == 1) return is_private_v4(ntohl(v4.s_addr));
  in6_addr v6{};
  return ::inet_pton(AF_INET6, text.c_str(), &v6) != 1 || is_private_v6(v6);
}

std::string address_text(const sockaddr& address) {
  char text[INET6_ADDRSTRLEN] = {};
  if (address.sa_family == AF_INET) {
    sockaddr_in v4{};
    std::memcpy(&v4, &address, sizeof v4);
    ::inet_ntop(AF_INET, &v4.sin_addr, text, sizeof text);
  } else if (address.sa_family == AF_INET6) {
    sockaddr_in6 v6{};
    std::memcpy(&v6, &address, sizeof v6);
    ::inet_ntop(AF_INET6, &v6.sin6_addr, text, sizeof text);
  }
  return text;
}

}  // namespace mxinfer::sources
