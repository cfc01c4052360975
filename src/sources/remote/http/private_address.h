// Which addresses of the network are nobody else's: loopback, link-local, of private networks.
#pragma once

#include <sys/socket.h>

#include <string>

namespace mxinfer::sources {

/// Of IPv4: 0/8, 10/8, 100.64/10, 127/8, 169.254/16, 172.16/12, 192.168/16; of IPv6: ::, ::1, fc00::/7,
/// fe80::/10, and those that stand for such of IPv4. Sockets of other families too.
bool is_private_address(const sockaddr& address);
/// Of "127.0.0.1", "::1"; true for what is no address.
bool is_private_address(const std::string& text);
/// "127.0.0.1".
std::string address_text(const sockaddr& address);

}  // namespace mxinfer::sources
