#include "support/servers/http_server.h"

#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <thread>

namespace mxinfer::test {
namespace {

std::string head(int status, std::size_t length, const std::string& more) {
  return "HTTP/1.1 " + std::to_string(status) + " Status\r\nContent-Length: " + std::to_string(length) +
         "\r\n" + more + "\r\n";
}

}  // namespace

HttpServer::HttpServer()
    : listener_([this](int socket, const std::string& request) { return answer(socket, request); }) {}

std::string HttpServer::address(const std::string& path) const {
  return "http://127.0.0.1:" + std::to_string(listener_.port()) + path;
}

std::vector<std::string> HttpServer::requests() {
  const std::lock_guard lock(mutex_);
  return requests_;
}

int HttpServer::count(const std::string& word) {
  const std::lock_guard lock(mutex_);
  return static_cast<int>(std::count_if(requests_.begin(), requests_.end(), [&](const std::string& request) {
    return request.find(word) != std::string::npos;
  }));
}

void HttpServer::forget_requests() {
  const std::lock_guard lock(mutex_);
  requests_.clear();
}

bool HttpServer::answer(int socket, const std::string& request) {
  const std::size_t from = request.find(' ') + 1;
  const std::string target = request.substr(from, request.find(' ', from) - from);
  const std::string path = target.substr(0, target.find('?'));
  bool fails = false;
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back(request);
    fails = faults.fail_first > 0 && faults.fail_first-- > 0;
  }
  if (fails) return send_all(socket, head(faults.failure, 4, "") + "busy");
  if (const auto answer = answers ? answers(request) : std::nullopt)
    return send_all(socket, head(answer->status, answer->text.size(), "") + answer->text);
  if (const auto to = redirects.find(path); to != redirects.end())
    return send_all(socket, head(302, 0, "Location: " + to->second + "\r\n"));
  const auto file = files.find(path);
  if (const auto status = statuses.find(path); status != statuses.end()) {
    const std::string words = file == files.end() ? "" : file->second;
    return send_all(socket, head(status->second, words.size(), "") + words);
  }
  if (file == files.end()) return send_all(socket, head(404, 9, "") + "not found");
  std::string body = file->second;
  if (faults.flip_byte >= 0 && !body.empty())
    body[static_cast<std::size_t>(faults.flip_byte) % body.size()] ^= 0x10;
  const std::string etag = "\"" + std::to_string(std::hash<std::string>()(file->second)) + "\"";
  std::string more = faults.has_etag ? "ETag: " + etag + "\r\n" : "";
  if (faults.has_etag && header_of(request, "If-None-Match") == etag)
    return send_all(socket, head(304, 0, more));
  int status = 200;
  const std::string range = header_of(request, "Range");
  const std::string if_range = header_of(request, "If-Range");
  if (faults.has_ranges && !range.empty() && (if_range.empty() || if_range == etag)) {
    std::size_t first = 0, last = body.size() - 1;
    std::sscanf(range.c_str(), "bytes=%zu-%zu", &first, &last);
    if (first >= body.size())
      return send_all(socket, head(416, 0, "Content-Range: bytes */" + std::to_string(body.size()) + "\r\n"));
    last = std::min(last, body.size() - 1);
    more += "Content-Range: bytes " + std::to_string(first) + "-" + std::to_string(last) + "/" +
            std::to_string(body.size()) + "\r\n";
    body = body.substr(first, last - first + 1);
    status = 206;
  }
  std::string text = head(status, body.size(), more);
  if (faults.stalls) {
    send_all(socket, text);
    while (!listener_.ends()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return false;
  }
  if (faults.hold_above > 0 && body.size() > faults.hold_above) {
    send_all(socket, text);
    text.clear();
    while (holds_ && !listener_.ends()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  if (faults.cut_after > 0 && body.size() > faults.cut_after) {
    send_all(socket, text + body.substr(0, faults.cut_after));
    ::shutdown(socket, SHUT_RDWR);
    return false;
  }
  return send_all(socket, text + body);
}

}  // namespace mxinfer::test
