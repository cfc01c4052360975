// Serves many clients from one thread without waiting for predictions: event_loop MODEL < requests
//
// This is the loop of a server, with epoll. Standard input stands for the clients' sockets, one path of an
// image a line. The queue's file descriptor becomes readable when a prediction has ended.
#include <mxinfer/mxinfer.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <array>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Answer = std::vector<mxinfer::Classification>;

/// The paths whose lines are complete.
class Lines {
 public:
  /// Reads the available bytes; false at the end of the input.
  bool read_some() {
    std::array<char, 4096> bytes{};
    const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
    if (count <= 0) {
      if (!text_.empty()) text_ += '\n';
      return false;
    }
    text_.append(bytes.data(), static_cast<std::size_t>(count));
    return true;
  }
  bool next(std::string& line) {
    const std::size_t end = text_.find('\n');
    if (end == std::string::npos) return false;
    line = text_.substr(0, end);
    text_.erase(0, end + 1);
    return true;
  }

 private:
  std::string text_;
};

class Server {
 public:
  explicit Server(const std::string& model) : classifier_(model) {}

  int fd() { return done_.fd(); }
  std::size_t open_requests() const { return done_.size(); }

  void ask(const std::string& path) {
    try {
      done_.add(path, classifier_.classify_file_async(path, 1));
    } catch (const mxinfer::Error& e) {  // too_many_requests: a server answers 429
      std::cout << path << ": " << to_string(e.code()) << '\n';
    }
  }
  void answer() {
    while (auto next = done_.try_next()) {
      try {
        const Answer best = next->prediction.get();
        std::cout << next->tag << ": " << best.at(0).label << '\n';
      } catch (const mxinfer::Error& e) {  // only this request failed
        std::cout << next->tag << ": " << to_string(e.code()) << '\n';
      }
    }
  }

 private:
  mxinfer::ImageClassifier classifier_;
  mxinfer::CompletionQueue<Answer, std::string> done_;
};

void watch(int epoll, int fd) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = fd;
  if (::epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) != 0)
    throw std::runtime_error("epoll does not take it: give a pipe");
}

void serve(Server& server, int epoll) {
  Lines lines;
  watch(epoll, STDIN_FILENO);
  watch(epoll, server.fd());
  for (bool more = true; more || server.open_requests() > 0;) {
    epoll_event event{};
    if (::epoll_wait(epoll, &event, 1, -1) < 1) continue;
    if (event.data.fd == server.fd()) {
      server.answer();
      continue;
    }
    more = lines.read_some();
    for (std::string path; lines.next(path);) server.ask(path);
    if (!more) ::epoll_ctl(epoll, EPOLL_CTL_DEL, STDIN_FILENO, nullptr);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: event_loop MODEL < a pipe of paths\n";
    return 2;
  }
  try {
    Server server(argv[1]);
    const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
    serve(server, epoll);
    ::close(epoll);
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
