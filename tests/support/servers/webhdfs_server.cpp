#include "support/servers/webhdfs_server.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

namespace mxinfer::test {
namespace {

using nlohmann::json;
using Answer = WebHdfsServer::Answer;

constexpr const char* kPrefix = "/webhdfs/v1";

/// [A-Za-z_][A-Za-z0-9._-]*[$]?
bool is_user_name(std::string name) {
  if (name.ends_with('$')) name.pop_back();
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_good = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '-'; };
  return !name.empty() && is_letter(name.front()) && std::all_of(name.begin(), name.end(), is_good);
}

std::string from_percent(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      plain += text[i];
      continue;
    }
    plain += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
    i += 2;
  }
  return plain;
}

Answer exception(int status, const std::string& java_class, const std::string& message) {
  const std::string name = java_class.substr(java_class.find_last_of(".$") + 1);
  const json body = {
      {"RemoteException", {{"exception", name}, {"javaClassName", java_class}, {"message", message}}}};
  return {status, "application/json", body.dump()};
}

Answer not_found(const std::string& path) {
  return exception(404, "java.io.FileNotFoundException", "File does not exist: " + path);
}

Answer unauthorized(const std::string& scheme) {
  Answer answer{401, "text/html;charset=iso-8859-1",
                "<html><head><title>Error 401 Authentication required</title></head></html>"};
  answer.headers = "WWW-Authenticate: " + scheme + "\r\nSet-Cookie: hadoop.auth=; Path=/; HttpOnly\r\n";
  return answer;
}

std::string parent_of(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

}  // namespace

struct WebHdfsServer::Request {
  std::string line;
  std::string target;
  std::string path;  ///< decoded
  std::map<std::string, std::string> query;

  explicit Request(const std::string& text) : line(text.substr(0, text.find("\r\n"))) {
    const std::size_t from = line.find(' ') + 1;
    target = line.substr(from, line.rfind(' ') - from);
    const std::size_t mark = std::min(target.find('?'), target.size());
    path = from_percent(target.substr(0, mark));
    for (std::size_t at = mark + 1; at < target.size();) {
      const std::size_t end = std::min(target.find('&', at), target.size());
      const std::string part = target.substr(at, end - at);
      const std::size_t value = std::min(part.find('='), part.size());
      query[part.substr(0, value)] = from_percent(part.substr(std::min(value + 1, part.size())));
      at = end + 1;
    }
  }

  [[nodiscard]] std::string parameter(const std::string& name) const {
    const auto found = query.find(name);
    return found == query.end() ? std::string() : found->second;
  }
};

namespace {

/// Whether the connection goes on. Status 0: nothing is sent.
bool send_answer(int socket, const Answer& answer) {
  if (answer.status == 0) return false;
  std::string text = "HTTP/1.1 " + std::to_string(answer.status) + " Status\r\nContent-Type: " + answer.type +
                     "\r\nContent-Length: " + std::to_string(answer.body.size()) + "\r\n" + answer.headers +
                     (answer.closes ? "Connection: close\r\n" : "") + "\r\n";
  const bool is_cut = answer.cut_after > 0 && answer.cut_after < answer.body.size();
  text += is_cut ? answer.body.substr(0, answer.cut_after) : answer.body;
  return send_all(socket, text) && !is_cut && !answer.closes;
}

}  // namespace

std::unique_ptr<Listener> WebHdfsServer::listen(const std::function<Answer(const Request&)>& answer) {
  return std::make_unique<Listener>([answer](int socket, const std::string& request) {
    return send_answer(socket, answer(Request(request)));
  });
}

WebHdfsServer::WebHdfsServer(int name_nodes)
    : states_(static_cast<std::size_t>(name_nodes), State::active),
      data_node_(listen([this](const Request& r) { return answer_as_data_node(r); })),
      rpc_(listen([](const Request&) {
        Answer answer{404, "text/plain", "this is a port of RPC, not of HTTP\r\n"};
        answer.closes = true;
        return answer;
      })) {
  for (int i = 0; i < name_nodes; ++i) {
    if (i > 0) states_[static_cast<std::size_t>(i)] = State::standby;
    name_nodes_.push_back(listen([this, i](const Request& r) { return answer_as_name_node(i, r); }));
  }
}

WebHdfsServer::~WebHdfsServer() = default;

std::string WebHdfsServer::address(const std::string& path) const {
  return "webhdfs://127.0.0.1:" + std::to_string(port(0)) + path;
}

std::string WebHdfsServer::name_nodes() const {
  std::string text;
  for (const auto& node : name_nodes_)
    text += (text.empty() ? "127.0.0.1:" : ",127.0.0.1:") + std::to_string(node->port());
  return text;
}

int WebHdfsServer::port(int name_node) const {
  return name_nodes_.at(static_cast<std::size_t>(name_node))->port();
}

int WebHdfsServer::data_node_port() const {
  return data_node_->port();
}

int WebHdfsServer::rpc_port() const {
  return rpc_->port();
}

void WebHdfsServer::put(const std::string& path, const std::string& bytes) {
  const std::lock_guard lock(mutex_);
  clock_ += 1000;
  files_[path] = {bytes, clock_, ++last_id_};
  for (std::string folder = parent_of(path); !folder.empty(); folder = parent_of(folder))
    folders_.insert(folder);
}

void WebHdfsServer::touch(const std::string& path) {
  const std::lock_guard lock(mutex_);
  files_.at(path).modified = clock_ += 1000;
}

void WebHdfsServer::erase(const std::string& path) {
  const std::lock_guard lock(mutex_);
  files_.erase(path);
}

void WebHdfsServer::make_folder(const std::string& path) {
  const std::lock_guard lock(mutex_);
  folders_.insert(path);
}

void WebHdfsServer::restrict_to(const std::string& path, const std::string& reader) {
  const std::lock_guard lock(mutex_);
  readers_[path] = reader;
}

void WebHdfsServer::set_state(int name_node, State state) {
  const std::lock_guard lock(mutex_);
  states_.at(static_cast<std::size_t>(name_node)) = state;
}

void WebHdfsServer::set_answer(const std::string& operation, const Answer& answer) {
  const std::lock_guard lock(mutex_);
  answers_[operation] = answer;
}

void WebHdfsServer::set_faults(const Faults& faults) {
  const std::lock_guard lock(mutex_);
  faults_ = faults;
}

void WebHdfsServer::add_token(const std::string& token, const std::string& user) {
  const std::lock_guard lock(mutex_);
  tokens_[token] = user;
  is_secure_ = true;
}

void WebHdfsServer::expire_token(const std::string& token) {
  const std::lock_guard lock(mutex_);
  expired_tokens_.insert(token);
}

void WebHdfsServer::require_user() {
  const std::lock_guard lock(mutex_);
  requires_user_ = true;
}

std::vector<std::string> WebHdfsServer::requests() {
  const std::lock_guard lock(mutex_);
  return requests_;
}

int WebHdfsServer::count(const std::string& words) {
  const std::lock_guard lock(mutex_);
  return static_cast<int>(std::count_if(requests_.begin(), requests_.end(), [&](const std::string& request) {
    return request.find(words) != std::string::npos;
  }));
}

void WebHdfsServer::forget_requests() {
  const std::lock_guard lock(mutex_);
  requests_.clear();
}

bool WebHdfsServer::is_folder(const std::string& path) const {
  return path.empty() || folders_.count(path) > 0;
}

/// Who asks, by the name in the query or by the token; else what is answered instead.
bool WebHdfsServer::is_refused(const Request& request, Answer& answer, std::string& user) const {
  const std::string token = request.parameter("delegation");
  if (is_secure_) {
    const auto known = tokens_.find(token);
    if (token.empty()) {
      answer = unauthorized("Negotiate");
    } else if (known == tokens_.end() || expired_tokens_.count(token) > 0) {
      const std::string why = known == tokens_.end() ? " can't be found in cache" : " is expired";
      answer = exception(403, "java.lang.SecurityException",
                         "Failed to obtain user group information: "
                         "org.apache.hadoop.security.token.SecretManager$InvalidToken: token " +
                             token + why);
    } else {
      user = known->second;
      return false;
    }
    return true;
  }
  user = request.parameter("user.name");
  if (user.empty()) {
    if (requires_user_) answer = unauthorized("PseudoAuth");
    user = "dr.who";
    return requires_user_;
  }
  if (is_user_name(user)) return false;
  answer = exception(400, "java.lang.IllegalArgumentException",
                     "Invalid value for webhdfs parameter \"user.name\": Invalid value: \"" + user + "\"");
  return true;
}

WebHdfsServer::Answer WebHdfsServer::answer_as_name_node(int index, const Request& request) {
  const std::lock_guard lock(mutex_);
  requests_.push_back("name node " + std::to_string(index) + ": " + request.line);
  if (faults_.name_node_closes > 0) {
    --faults_.name_node_closes;
    return {0};
  }
  if (request.path.rfind(kPrefix, 0) != 0) return {404, "text/html", "<html>no such page</html>"};
  std::string path = request.path.substr(std::string(kPrefix).size());
  while (!path.empty() && path.back() == '/') path.pop_back();
  const std::string operation = request.parameter("op");
  if (const auto other = answers_.find(operation); other != answers_.end()) return other->second;
  Answer refusal;
  std::string user;
  if (is_refused(request, refusal, user)) return refusal;
  const State state = states_[static_cast<std::size_t>(index)];
  if (state == State::starting)
    return exception(403, "org.apache.hadoop.ipc.RetriableException", "Namenode is in startup mode");
  if (state == State::standby) {
    return exception(403, "org.apache.hadoop.ipc.StandbyException",
                     "Operation category READ is not supported in state standby");
  }
  if (operation == "GETFILESTATUS") return file_status(path);
  if (operation == "LISTSTATUS") return list(path, user);
  if (operation == "OPEN" && state == State::safe_mode) {
    return exception(403, "org.apache.hadoop.ipc.RetriableException",
                     "org.apache.hadoop.hdfs.server.namenode.SafeModeException: Zero blocklocations for " +
                         path + ". Name node is in safe mode.");
  }
  if (operation == "OPEN") return redirect(index, request, path, user);
  return exception(400, "java.lang.IllegalArgumentException",
                   "Invalid value for webhdfs parameter \"op\": No enum constant of the name " + operation);
}

namespace {

json status_json(const std::string& name, const WebHdfsServer::File* file) {
  return {{"accessTime", 0},
          {"blockSize", file == nullptr ? 0 : 134217728},
          {"childrenNum", 0},
          {"fileId", file == nullptr ? 16385 : file->id},
          {"group", "supergroup"},
          {"length", file == nullptr ? 0 : file->bytes.size()},
          {"modificationTime", file == nullptr ? 1'700'000'000'000 : file->modified},
          {"owner", "hdfs"},
          {"pathSuffix", name},
          {"permission", file == nullptr ? "755" : "644"},
          {"replication", file == nullptr ? 0 : 3},
          {"storagePolicy", 0},
          {"type", file == nullptr ? "DIRECTORY" : "FILE"}};
}

}  // namespace

WebHdfsServer::Answer WebHdfsServer::file_status(const std::string& path) const {
  const auto file = files_.find(path);
  if (file == files_.end() && !is_folder(path)) return not_found(path);
  const json body = {{"FileStatus", status_json("", file == files_.end() ? nullptr : &file->second)}};
  return {200, "application/json", body.dump()};
}

bool WebHdfsServer::is_denied(const std::string& path, const std::string& user, const std::string& access,
                              Answer& answer) const {
  const auto reader = readers_.find(path);
  if (reader == readers_.end() || reader->second == user) return false;
  answer = exception(403, "org.apache.hadoop.security.AccessControlException",
                     "Permission denied: user=" + user + ", access=" + access + ", inode=\"" + path +
                         "\":" + reader->second + ":supergroup:rwx--x--x");
  return true;
}

/// What is directly in a folder; of a file, itself without a name.
WebHdfsServer::Answer WebHdfsServer::list(const std::string& path, const std::string& user) const {
  if (Answer refusal; is_denied(path, user, "READ_EXECUTE", refusal)) return refusal;
  json entries = json::array();
  if (const auto file = files_.find(path); file != files_.end()) {
    entries.push_back(status_json("", &file->second));
  } else if (!is_folder(path)) {
    return not_found(path);
  }
  for (const std::string& folder : folders_) {
    if (folder != path && parent_of(folder) == path)
      entries.push_back(status_json(folder.substr(path.size() + 1), nullptr));
  }
  for (const auto& [name, file] : files_) {
    if (parent_of(name) == path) entries.push_back(status_json(name.substr(path.size() + 1), &file));
  }
  const json body = {{"FileStatuses", {{"FileStatus", entries}}}};
  return {200, "application/json", body.dump()};
}

/// To the data node, with what it has to know.
WebHdfsServer::Answer WebHdfsServer::redirect(int index, const Request& request, const std::string& path,
                                              const std::string& user) const {
  const auto file = files_.find(path);
  if (file == files_.end()) return not_found(path);
  if (Answer refusal; is_denied(path, user, "READ", refusal)) return refusal;
  const std::string offset = request.parameter("offset");
  const std::size_t first = offset.empty() ? 0 : std::stoull(offset);
  const std::size_t size = file->second.bytes.size();
  if (first >= size && size > 0) {
    return exception(403, "java.io.IOException",
                     "Offset=" + offset + " out of the range [0, " + std::to_string(size) + ")");
  }
  const std::string node = "127.0.0.1:" + std::to_string(data_node_->port());
  const std::size_t mark = request.target.find('?');
  Answer answer{307, "application/octet-stream", ""};
  answer.headers = "Location: " + (faults_.redirect_to.empty() ? "http://" + node : faults_.redirect_to) +
                   request.target + (mark == std::string::npos ? "?" : "&") +
                   "namenoderpcaddress=127.0.0.1:" + std::to_string(8020 + index) + "\r\n";
  return answer;
}

WebHdfsServer::Answer WebHdfsServer::answer_as_data_node(const Request& request) {
  const std::lock_guard lock(mutex_);
  requests_.push_back("data node: " + request.line);
  if (faults_.data_node_fails > 0) {
    --faults_.data_node_fails;
    return {500, "text/plain", "the disk is broken"};
  }
  Answer refusal;
  std::string user;
  if (is_refused(request, refusal, user)) return refusal;
  if (request.parameter("namenoderpcaddress").empty() || request.parameter("op") != "OPEN")
    return exception(400, "java.lang.IllegalArgumentException", "this is a data node");
  const std::string path = request.path.substr(std::string(kPrefix).size());
  const auto file = files_.find(path);
  if (file == files_.end()) return not_found(path);
  const std::string offset = request.parameter("offset");
  const std::string length = request.parameter("length");
  Answer answer{200, "application/octet-stream",
                file->second.bytes.substr(offset.empty() ? 0 : std::stoull(offset),
                                          length.empty() ? std::string::npos : std::stoull(length))};
  answer.headers = "Access-Control-Allow-Origin: *\r\n";
  answer.closes = true;
  if (faults_.data_node_cuts > 0 && answer.body.size() > 1) {
    --faults_.data_node_cuts;
    answer.cut_after = answer.body.size() / 2;
  }
  return answer;
}

}  // namespace mxinfer::test
