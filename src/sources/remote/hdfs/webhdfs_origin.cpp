#include "sources/remote/hdfs/webhdfs_origin.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/fail.h"
#include "base/log.h"
#include "sources/remote/hdfs/hdfs_cluster.h"

namespace mxinfer::sources {
namespace {

constexpr std::size_t kMostOfStatus = 1 << 20;
constexpr std::size_t kMostOfList = std::size_t{32} << 20;
/// The characters that need no encoding in a path, by RFC 3986.
constexpr std::string_view kPlainInPath = "!$&'()*+,;=:@";

std::string first_of(const std::string& given, const char* variable) {
  const char* value = given.empty() ? std::getenv(variable) : nullptr;
  return value == nullptr ? given : value;
}

/// Empty, if it has none, as in containers.
std::string name_of_process_user() {
  char text[4096];
  passwd entry{};
  passwd* found = nullptr;
  const bool is_known = ::getpwuid_r(::geteuid(), &entry, text, sizeof text, &found) == 0 && found != nullptr;
  return is_known ? found->pw_name : "";
}

[[noreturn]] void refuse_path(const std::string& address, const char* why) {
  fail(ErrorCode::malformed, printable(shown(address)), kTrail, "the path ", why);
}

/// With one "/" in front of each name, and none at the end; "" is the root.
std::string path_in_hdfs(const std::string& address, const std::string& path) {
  const std::string decoded = percent_decoded(path);
  if (decoded.find('\0') != std::string::npos) refuse_path(address, "has a zero byte in it");
  std::string clean;
  for (std::size_t at = 0; at < decoded.size();) {
    const std::size_t end = std::min(decoded.find('/', at), decoded.size());
    const std::string name = decoded.substr(at, end - at);
    if (name == "." || name == "..") refuse_path(address, "has '.' or '..' in it, which is not a file name");
    if (!name.empty()) clean += "/" + name;
    at = end + 1;
  }
  return percent_encoded(clean, concat("/", kPlainInPath));
}

Address parse_hdfs_address(const std::string& text) {
  Address address = parse_address(text);
  if (!address.query.empty()) {
    fail(ErrorCode::invalid_argument, "'", printable(shown(text)),
         "' has a query, which is not supported: write a '?' in a name as %3F; set the user in "
         "HdfsOptions::user or HADOOP_USER_NAME, a token in HdfsOptions::delegation_token or HADOOP_TOKEN");
  }
  address.fragment.clear();
  return address;
}

bool is_standby(const HdfsException& exception) {
  return exception.name == "StandbyException" || exception.name == "ObserverRetryOnActiveException" ||
         exception.message.find("org.apache.hadoop.ipc.StandbyException") != std::string::npos;
}

bool is_not_ready(const HdfsException& exception) {
  return exception.name == "RetriableException" || exception.name == "SafeModeException";
}

bool is_token_refusal(const HdfsException& exception) {
  return exception.name == "InvalidToken" || exception.name == "SecurityException" ||
         exception.message.find("InvalidToken") != std::string::npos;
}

bool is_access_refusal(const HdfsException& exception) {
  return exception.name == "AccessControlException" || exception.name == "AuthorizationException";
}

constexpr const char* kNoWebHdfs =
    "the server there is not WebHDFS. WebHDFS is on the name node's HTTP port: 9870, with https (swebhdfs) "
    "9871, in Hadoop 2 50070, with HttpFS 14000; not on the RPC ports, 8020 and 9000";

}  // namespace

WebHdfsOrigin::WebHdfsOrigin(const RemoteOptions& options)
    : options_(options),
      user_(first_of(options.hdfs.user, "HADOOP_USER_NAME")),
      token_(first_of(options.hdfs.delegation_token, "HADOOP_TOKEN")) {
  if (user_.empty()) user_ = name_of_process_user();
}

WebHdfsOrigin::Cluster& WebHdfsOrigin::cluster_of(const Address& address) const {
  const std::lock_guard lock(mutex_);
  auto& cluster = clusters_[concat(address.scheme, "://", address.authority)];
  if (cluster == nullptr) {
    if (!config_ && needs_hadoop_config(address, options_.hdfs)) config_ = read_hadoop_config();
    HdfsCluster found = find_cluster(address, options_.hdfs, config_.value_or(HadoopConfig()));
    cluster.reset(new Cluster{std::move(found.name), {std::move(found.name_nodes), options_.retries}});
  }
  return *cluster;
}

std::string WebHdfsOrigin::cache_key(const std::string& address) const {
  const Address parsed = parse_hdfs_address(address);
  return concat(parsed.scheme, "://", cluster_of(parsed).name, path_in_hdfs(address, parsed.path));
}

HttpRequest WebHdfsOrigin::name_node_request(const std::string& address, const std::string& operation) const {
  const Address parsed = parse_hdfs_address(address);
  const std::string path = path_in_hdfs(address, parsed.path);
  HttpRequest request;
  request.address =
      concat(cluster_of(parsed).nodes.active(), "/webhdfs/v1", path.empty() ? "/" : path, "?op=", operation);
  if (!token_.empty()) {
    request.address += "&delegation=" + percent_encoded(token_);
  } else if (options_.hdfs.kerberos) {
    request.negotiates = true;
  } else if (!user_.empty()) {
    request.address += "&user.name=" + percent_encoded(user_);
  }
  return request;
}

HttpRequest WebHdfsOrigin::read_request(const std::string& address, const ByteRange& range) const {
  std::string operation = "OPEN";
  if (range.first > 0 || range.last >= 0) operation += concat("&offset=", range.first);
  if (range.last >= 0) operation += concat("&length=", range.last - range.first + 1);
  return name_node_request(address, operation);
}

TextResponse WebHdfsOrigin::ask_name_node(HttpPool& pool, const std::string& address,
                                          const std::string& operation, std::size_t most_bytes) const {
  try {
    TextResponse answer = ask(
        pool, options_, *this, address, [&] { return name_node_request(address, operation); }, most_bytes);
    if (answer.response.status == 200) cluster_of(parse_hdfs_address(address)).nodes.succeeded();
    return answer;
  } catch (const Error& e) {
    if (e.code() == ErrorCode::network) throw Error(e.code(), e.what() + described_name_nodes(address));
    if (e.code() == ErrorCode::unsupported && options_.hdfs.kerberos) {
      throw Error(e.code(),
                  concat(e.what(), "; HdfsOptions::kerberos needs one that was built with GSS-API"));
    }
    throw;
  }
}

std::string WebHdfsOrigin::described_name_nodes(const std::string& address) const {
  const Address parsed = parse_hdfs_address(address);
  std::string text = "; asked were: " + cluster_of(parsed).nodes.described();
  if (parsed.scheme == "hdfs") text += "; the HTTP port is 9870, in Hadoop 2 50070";
  // Taken for the name of a host.
  const bool is_host = text.find(concat("//", parsed.authority, ":")) != std::string::npos;
  if (is_host && parsed.authority.find('.') == std::string::npos) {
    text += concat("; if '", printable(parsed.authority),
                   "' is a name service, HADOOP_CONF_DIR has to name the folder with its hdfs-site.xml");
  }
  return text;
}

FileStatus WebHdfsOrigin::status(HttpPool& pool, const std::string& address) const {
  const auto [response, text] = ask_name_node(pool, address, "GETFILESTATUS", kMostOfStatus);
  if (is_absent(response, text)) return {};
  if (response.status != 200) fail_refused(*this, address, response, text);
  const auto status = hdfs_file_status(text);
  if (!status) fail(ErrorCode::network, printable(shown(address)), kTrail, kNoWebHdfs);
  if (status->is_folder) {
    fail(ErrorCode::not_found, printable(shown(address)), kTrail,
         "it is a folder; expected a file. To load the model in the folder, end the address with '/'");
  }
  return {true, status->size, {concat(status->modification_time, "-", status->size, "-", status->id), {}}};
}

std::optional<std::chrono::milliseconds> WebHdfsOrigin::learn(const std::string& address,
                                                              const HttpResponse& response,
                                                              const std::string& words) const {
  NameNodes& nodes = cluster_of(parse_hdfs_address(address)).nodes;
  const auto exception = hdfs_exception(words);
  const bool is_name_node = response.address.empty() || nodes.has(response.address);
  const bool has_no_connection = response.status == 0 || (response.status >= 502 && response.status <= 504);
  if (has_no_connection) {
    if (!is_name_node) return std::nullopt;  // the same name node may offer another data node
    const std::string why = response.status == 0 ? words : concat("status ", response.status);
    return nodes.turn_from(response.address, NameNodes::Refusal::unreachable,
                           why.empty() ? "no connection" : printable(why));
  }
  if (!exception) return std::nullopt;
  const std::string why = printable(without_token(exception->name));
  if (is_standby(*exception)) return nodes.turn_from(response.address, NameNodes::Refusal::standby, why);
  if (is_not_ready(*exception)) return nodes.turn_from(response.address, NameNodes::Refusal::not_ready, why);
  return std::nullopt;
}

bool WebHdfsOrigin::is_absent(const HttpResponse& response, const std::string& words) const {
  // Ports of RPC answer 404, too.
  const auto exception = response.status == 404 ? hdfs_exception(words) : std::nullopt;
  return exception && exception->name == "FileNotFoundException";
}

std::string WebHdfsOrigin::advice(const std::string& address, const HttpResponse& response,
                                  const std::string& words) const {
  const auto exception = hdfs_exception(words);
  const std::string said =
      exception ? concat(": ", printable(without_token(exception->name + ": " + exception->message))) : "";
  return said + remedy(address, response, exception);
}

std::string WebHdfsOrigin::remedy(const std::string& address, const HttpResponse& response,
                                  const std::optional<HdfsException>& exception) const {
  if (exception && is_token_refusal(*exception)) {
    return token_.empty() ? kerberos_remedy()
                          : "; the delegation token is invalid or has expired: get another with WebHDFS's "
                            "GETDELEGATIONTOKEN, and set it in HADOOP_TOKEN or HdfsOptions::delegation_token";
  }
  if (response.status == 401) {
    return response.header("www-authenticate").find("Negotiate") == std::string::npos
               ? concat("; it requires authentication, and was asked ", who())
               : kerberos_remedy();
  }
  if (!exception) {
    return may_succeed_later(response.status) ? Origin::advice(address, response, {})
                                              : concat("; ", kNoWebHdfs);
  }
  if (is_access_refusal(*exception)) {
    const bool has_name = token_.empty() && !options_.hdfs.kerberos;
    return concat("; it was asked ", who(),
                  has_name ? "; set another user in HADOOP_USER_NAME or HdfsOptions::user" : "");
  }
  const std::string asked = cluster_of(parse_hdfs_address(address)).nodes.described();
  if (is_standby(*exception)) {
    return concat("; no name node is active. Tried: ", asked,
                  "; if there are others, name them in the address too, separated by commas");
  }
  if (is_not_ready(*exception))
    return concat("; it is starting or in safe mode: try again later. Tried: ", asked);
  return exception->name == "IllegalArgumentException" ? concat("; it was asked ", who()) : std::string();
}

std::string WebHdfsOrigin::kerberos_remedy() const {
  return options_.hdfs.kerberos && token_.empty()
             ? "; it accepted no Kerberos ticket of this process's user: list the tickets with 'klist', get "
               "one with 'kinit'"
             : "; it requires Kerberos: get a ticket with 'kinit' and use HdfsOptions::kerberos, or set a "
               "delegation token in HADOOP_TOKEN";
}

std::string WebHdfsOrigin::who() const {
  if (!token_.empty()) return "with a delegation token";
  if (options_.hdfs.kerberos) return "with the Kerberos ticket of this process's user";
  return user_.empty() ? "without a user name" : concat("as the user '", printable(user_), "'");
}

std::string WebHdfsOrigin::without_token(std::string text) const {
  if (token_.empty()) return text;
  for (const std::string& secret : {token_, percent_encoded(token_)}) {
    for (std::size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, at))
      text.replace(at, secret.size(), "...");
  }
  return text;
}

std::optional<std::vector<std::string>> WebHdfsOrigin::list(HttpPool& pool, const std::string& folder,
                                                            const std::string& /*start*/) const {
  const auto [response, text] = ask_name_node(pool, folder, "LISTSTATUS", kMostOfList);
  if (is_absent(response, text)) return std::vector<std::string>();
  // Permission to read files does not imply permission to list them.
  if (const auto exception = hdfs_exception(text); exception && is_access_refusal(*exception)) {
    log_message(LogLevel::warning, "'", printable(shown(folder)), "' cannot be listed",
                advice(folder, response, text));
    return std::nullopt;
  }
  if (response.status != 200) fail_refused(*this, folder, response, text);
  if (text.size() == kMostOfList) {
    fail(ErrorCode::network, printable(shown(folder)), kTrail, "its list has more than ", kMostOfList,
         " bytes; put the model into a folder with fewer files");
  }
  const auto entries = hdfs_list(text);
  if (!entries) fail(ErrorCode::network, printable(shown(folder)), kTrail, kNoWebHdfs);
  std::vector<std::string> names;
  // Of a file, the list is that file without a name.
  if (entries->size() == 1 && entries->front().name.empty() && !entries->front().is_folder) return names;
  for (const HdfsFileStatus& entry : *entries) {
    const std::string& name = entry.name;
    if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos ||
        name.find('\0') != std::string::npos) {
      fail(ErrorCode::malformed, printable(shown(folder)), kTrail, "the server lists '", printable(name),
           "', which is not a name in a folder");
    }
    names.push_back(name + (entry.is_folder ? "/" : ""));
  }
  return names;
}

}  // namespace mxinfer::sources
