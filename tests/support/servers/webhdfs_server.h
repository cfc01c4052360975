// WebHdfsServer: name nodes and a data node of HDFS on the loopback, as the specification of WebHDFS has
// them, with faults on demand. Nothing in it is of the code that it tests.
//
//   test::WebHdfsServer server(2);                          // two name nodes
//   server.put("/models/digits-symbol.json", text);
//   server.set_state(0, test::WebHdfsServer::State::standby);
//   Model::load("webhdfs://" + server.name_nodes() + "/models/digits");
//   server.requests();                                      // "name node 0: GET /webhdfs/v1/models/... HTTP/1.1"
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "support/servers/listener.h"

namespace mxinfer::test {

class WebHdfsServer {
 public:
  enum class State {
    active,
    standby,
    starting,   ///< its HTTP is up before it is
    safe_mode,  ///< knows the names of files, and not yet where their blocks are
  };

  struct File {
    std::string bytes;
    std::int64_t modified = 0;
    std::int64_t id = 0;
  };

  /// A response in place of the right one.
  struct Answer {
    int status = 200;
    std::string type = "application/json";
    std::string body{};
    std::string headers{};
    std::size_t cut_after = 0;  ///< the connection ends after so many bytes of the body; 0: it does not
    bool closes = false;        ///< the connection ends behind it
  };

  struct Faults {
    int data_node_fails = 0;    ///< so many requests get status 500
    int data_node_cuts = 0;     ///< so many bodies end in their middle
    int name_node_closes = 0;   ///< so many connections to name nodes end without an answer
    std::string redirect_to{};  ///< in place of the data node: scheme, host and port
  };

  explicit WebHdfsServer(int name_nodes = 1);
  ~WebHdfsServer();
  WebHdfsServer(const WebHdfsServer&) = delete;
  WebHdfsServer& operator=(const WebHdfsServer&) = delete;

  /// "webhdfs://127.0.0.1:PORT" with the path, at the first name node.
  [[nodiscard]] std::string address(const std::string& path) const;
  /// "127.0.0.1:PORT,127.0.0.1:PORT", all of them.
  [[nodiscard]] std::string name_nodes() const;
  [[nodiscard]] int port(int name_node) const;
  [[nodiscard]] int data_node_port() const;
  /// Where Hadoop's RPC is, which is not for HTTP.
  [[nodiscard]] int rpc_port() const;

  /// A new file; one that was there becomes another, modified later.
  void put(const std::string& path, const std::string& bytes);
  /// The same file, modified later.
  void touch(const std::string& path);
  void erase(const std::string& path);
  void make_folder(const std::string& path);
  /// Who alone may read the file, or list the folder.
  void restrict_to(const std::string& path, const std::string& reader);
  void set_state(int name_node, State state);
  /// Answers of an operation, on every name node: "LISTSTATUS".
  void set_answer(const std::string& operation, const Answer& answer);
  void set_faults(const Faults& faults);
  /// Security is on: who asks without a token is asked for Kerberos.
  void add_token(const std::string& token, const std::string& user);
  void expire_token(const std::string& token);
  /// Security is off, and who has no name is nobody.
  void require_user();

  [[nodiscard]] std::vector<std::string> requests();
  /// How many requests had the words in their first line.
  [[nodiscard]] int count(const std::string& words);
  void forget_requests();

 private:
  struct Request;

  static std::unique_ptr<Listener> listen(const std::function<Answer(const Request&)>& answer);

  Answer answer_as_name_node(int index, const Request& request);
  Answer answer_as_data_node(const Request& request);
  bool is_refused(const Request& request, Answer& answer, std::string& user) const;
  Answer file_status(const std::string& path) const;
  Answer list(const std::string& path, const std::string& user) const;
  bool is_denied(const std::string& path, const std::string& user, const std::string& access,
                 Answer& answer) const;
  Answer redirect(int index, const Request& request, const std::string& path, const std::string& user) const;
  [[nodiscard]] bool is_folder(const std::string& path) const;

  std::mutex mutex_;
  std::map<std::string, File> files_;
  std::set<std::string> folders_;
  std::map<std::string, std::string> readers_;  ///< of what not everybody may read
  std::map<std::string, std::string> tokens_;   ///< to the user of each
  std::set<std::string> expired_tokens_;
  std::map<std::string, Answer> answers_;
  std::vector<State> states_;
  std::vector<std::string> requests_;
  Faults faults_;
  bool is_secure_ = false;
  bool requires_user_ = false;
  std::int64_t clock_ = 1'700'000'000'000;
  std::int64_t last_id_ = 16'385;
  std::vector<std::unique_ptr<Listener>> name_nodes_;  // go before what they use
  std::unique_ptr<Listener> data_node_;
  std::unique_ptr<Listener> rpc_;
};

}  // namespace mxinfer::test
