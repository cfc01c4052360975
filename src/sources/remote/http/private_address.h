// Recognises private network addresses: loopback, link-local and private networks.
#pragma once

#include <sys/socket.h>

#include <string>

namespace mxinfer::sources {

/// Of IPv4: 0/8, 10/8, 100.64/10, 127/8, 169.254/16, 172.16/12, 192.168/16; of IPv6: ::, ::1, fc00::/7,
/// fe80::/10, and IPv4 addresses of these mapped to IPv6. Sockets of other families count too.
bool is_private_address(const sockaddr& address);
/// For "127.0.0.1" and "::1"; true for text that is not an address.
bool is_private_address(const std::string& text);
/// "127.0.0.1".
std::string address_text(const sockaddr& address);

}  // namespace mxinfer::sources
