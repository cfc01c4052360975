// HttpServer: files by http on the loopback, with ranges, validators, and faults on demand.
//
//   test::HttpServer server;
//   server.files["/digits-symbol.json"] = text;
//   server.faults.cut_after = 65536;                     // each connection ends after so many bytes of a body
//   Model::load(server.address("/digits"));
//   server.requests();                                   // what was asked for: "GET /digits-symbol.json 206"
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "support/servers/listener.h"

namespace mxinfer::test {

class HttpServer {
 public:
  struct Faults {
    std::size_t cut_after = 0;  ///< 0: never
    int fail_first = 0;         ///< so many requests get `failure`
    int failure = 503;
    bool has_ranges = true;
    bool has_etag = true;
    bool stalls = false;  ///< sends nothing of a body
    int flip_byte = -1;   ///< that byte of every file is another
    /// Of larger bodies nothing is sent until release(); 0: of none.
    std::size_t hold_above = 0;
  };

  struct Answer {
    int status = 200;
    std::string text{};
  };

  HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  [[nodiscard]] std::string address(const std::string& path) const;
  [[nodiscard]] std::vector<std::string> requests();
  /// How many requests had the word in their line, headers or body.
  [[nodiscard]] int count(const std::string& word);
  void forget_requests();
  /// Sends what is held, and holds nothing more.
  void release() { holds_ = false; }
  /// How many connections were made to it.
  [[nodiscard]] int connections() { return listener_.connections(); }

  // Set before requests come.
  std::map<std::string, std::string> files;
  std::map<std::string, std::string> redirects;  ///< path to location
  std::map<std::string, int> statuses;           ///< path to a status, with the file's text as its words
  /// Told of a request, with its headers and its body, before anything else is looked at. Nothing: the files.
  std::function<std::optional<Answer>(const std::string& request)> answers;
  Faults faults;

 private:
  bool answer(int socket, const std::string& request);

  std::atomic<bool> holds_{true};
  std::mutex mutex_;
  std::vector<std::string> requests_;
  Listener listener_;  // goes before what it uses
};

}  // namespace mxinfer::test
