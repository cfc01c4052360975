#include "support/servers/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <stdexcept>

namespace mxinfer::test {
namespace {

using Clock = std::chrono::steady_clock;

/// What a program writes to, and where that is read: a pipe, or a terminal.
struct Stream {
  int read_end = -1;
  int write_end = -1;
  explicit Stream(StandardError kind) {
    if (kind == StandardError::terminal) {
      open_terminal();
    } else {
      open_pipe();
    }
    if (read_end < 0 || write_end < 0) throw std::runtime_error("no pipe or terminal could be made");
  }
  void open_pipe() {
    std::array<int, 2> ends = {-1, -1};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return;
    read_end = ends[0];
    write_end = ends[1];
  }
  void open_terminal() {
    read_end = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (read_end < 0 || grantpt(read_end) != 0 || unlockpt(read_end) != 0) return;
    write_end = open(ptsname(read_end), O_RDWR | O_NOCTTY | O_CLOEXEC);
  }
  ~Stream() {
    close(read_end);
    close_write_end();
  }
  void close_write_end() {
    if (write_end >= 0) close(write_end);
    write_end = -1;
  }
};

[[noreturn]] void become(const std::vector<std::string>& command,
                         const std::map<std::string, std::string>& environment, int out, int err) {
  dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execv(words[0], words.data());
  _exit(127);
}

/// Appends what is there to read; false once the other side has closed.
bool drain(int descriptor, std::string& text) {
  std::array<char, 4096> buffer{};
  const ssize_t count = read(descriptor, buffer.data(), buffer.size());
  if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0;
}

/// Reads both streams until both are closed; false where that takes too long.
bool collect(int out, int err, Outcome& outcome, Clock::time_point deadline) {
  std::array<pollfd, 2> streams = {pollfd{out, POLLIN, 0}, pollfd{err, POLLIN, 0}};
  const std::array<std::string*, 2> texts = {&outcome.out, &outcome.err};
  int open_streams = 2;
  while (open_streams > 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0 || poll(streams.data(), streams.size(), static_cast<int>(left)) == 0) return false;
    for (std::size_t i = 0; i < streams.size(); ++i) {
      if (streams[i].fd < 0 || streams[i].revents == 0) continue;
      if (drain(streams[i].fd, *texts[i])) continue;
      streams[i].fd = -1;
      --open_streams;
    }
  }
  return true;
}

}  // namespace

Outcome run_program(const std::vector<std::string>& command,
                    const std::map<std::string, std::string>& environment, int timeout_s,
                    StandardError standard_error) {
  Stream out(StandardError::pipe);
  Stream err(standard_error);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process could be started");
  if (child == 0) become(command, environment, out.write_end, err.write_end);
  out.close_write_end();
  err.close_write_end();

  Outcome outcome;
  if (!collect(out.read_end, err.read_end, outcome, Clock::now() + std::chrono::seconds(timeout_s))) {
    outcome.timed_out = true;
    kill(child, SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  return outcome;
}

}  // namespace mxinfer::test
