// Listener: a port of the loopback where requests of HTTP come, each connection on a thread of its own.
//
//   test::Listener listener([](int socket, const std::string& request) {
//     return test::send_all(socket, "HTTP/1.1 204 Status\r\n\r\n");
//   });
//   listener.port();
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace mxinfer::test {

/// Whether all of it went.
bool send_all(int socket, const std::string& text);

/// Of a request; empty if it has no such header.
std::string header_of(const std::string& request, const std::string& name);

class Listener {
 public:
  /// Answers a request, which has its headers and its body. false: the connection ends.
  using Answer = std::function<bool(int socket, const std::string& request)>;

  explicit Listener(Answer answer);
  /// Ends every connection, and waits for the answers that are being given.
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  [[nodiscard]] int port() const { return port_; }
  /// How many were made.
  [[nodiscard]] int connections();
  /// It is being destroyed: an answer that waits is to end.
  [[nodiscard]] bool ends() const { return ends_; }

 private:
  void serve();
  void answer_all(int socket);

  Answer answer_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<bool> ends_{false};
  std::mutex mutex_;
  std::vector<std::thread> connections_;
  std::set<int> sockets_;
  std::thread thread_;
};

}  // namespace mxinfer::test
