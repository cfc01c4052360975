#include "support/servers/listener.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>
#include <utility>

namespace mxinfer::test {
namespace {

std::size_t body_size(const std::string& headers) {
  const std::string length = header_of(headers, "Content-Length");
  return length.empty() ? 0 : std::stoul(length);
}

}  // namespace

bool send_all(int socket, const std::string& text) {
  std::size_t sent = 0;
  while (sent < text.size()) {
    const ssize_t count = ::send(socket, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (count <= 0) return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

std::string header_of(const std::string& request, const std::string& name) {
  const std::size_t at = request.find("\r\n" + name + ": ");
  if (at == std::string::npos) return {};
  const std::size_t first = at + name.size() + 4;
  return request.substr(first, request.find("\r\n", first) - first);
}

Listener::Listener(Answer answer)
    : answer_(std::move(answer)), listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const bool listens = ::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                       ::listen(listener_, 64) == 0 &&
                       ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  if (!listens) throw std::runtime_error("no server on the loopback");
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { serve(); });
}

Listener::~Listener() {
  ends_ = true;
  ::shutdown(listener_, SHUT_RDWR);
  thread_.join();
  {
    const std::lock_guard lock(mutex_);
    for (const int socket : sockets_) ::shutdown(socket, SHUT_RDWR);
  }
  for (std::thread& connection : connections_) connection.join();
  ::close(listener_);
}

int Listener::connections() {
  const std::lock_guard lock(mutex_);
  return static_cast<int>(connections_.size());
}

void Listener::serve() {
  while (!ends_) {
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) return;
    const std::lock_guard lock(mutex_);
    sockets_.insert(socket);
    connections_.emplace_back([this, socket] { answer_all(socket); });
  }
}

void Listener::answer_all(int socket) {
  std::string text;
  char bytes[4096];
  for (bool goes_on = true; goes_on && !ends_;) {
    const ssize_t count = ::recv(socket, bytes, sizeof bytes, 0);
    if (count <= 0) break;
    text.append(bytes, static_cast<std::size_t>(count));
    const std::size_t end = text.find("\r\n\r\n");
    if (end == std::string::npos) continue;
    const std::size_t size = end + 4 + body_size(text.substr(0, end + 2));
    if (text.size() < size) continue;
    const std::string request = text.substr(0, size);
    text.erase(0, size);
    goes_on = answer_(socket, request);
  }
  const std::lock_guard lock(mutex_);
  sockets_.erase(socket);
  ::close(socket);
}

}  // namespace mxinfer::test
