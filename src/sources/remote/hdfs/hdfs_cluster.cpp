#include "sources/remote/hdfs/hdfs_cluster.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "base/fail.h"

namespace mxinfer::sources {
namespace {

constexpr std::string_view kRpcAddress = "dfs.namenode.rpc-address";
constexpr std::size_t kMostNameNodes = 16;

struct HostPort {
  std::string host;  ///< of IPv6 in "[]"
  int port = 0;      ///< 0: none was given
};

bool is_host_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-._").find(c) != std::string_view::npos;
}

bool is_host(std::string_view text) {
  if (text.starts_with('[') && text.ends_with(']')) {
    text = text.substr(1, text.size() - 2);
    return !text.empty() && text.find_first_not_of("0123456789abcdefABCDEF:.") == std::string_view::npos;
  }
  return !text.empty() && std::all_of(text.begin(), text.end(), is_host_character);
}

std::optional<HostPort> host_port_in(std::string_view text) {
  HostPort node;
  const std::size_t colon = text.rfind(':');
  const bool has_port = colon != std::string_view::npos && !text.ends_with(']');
  node.host = text.substr(0, has_port ? colon : text.size());
  if (!is_host(node.host)) return std::nullopt;
  if (!has_port) return node;
  const std::string_view port = text.substr(colon + 1);
  const char* const end = port.data() + port.size();
  const auto [read, error] = std::from_chars(port.data(), end, node.port);
  const bool is_port = error == std::errc() && read == end && node.port > 0 && node.port < 65536;
  return is_port ? std::optional(node) : std::nullopt;
}

HostPort given_host_port(std::string_view text) {
  if (const auto node = host_port_in(text)) return *node;
  constexpr std::string_view kScheme = "hdfs://";
  fail(ErrorCode::invalid_argument, "'", printable(shown(concat(kScheme, text)).substr(kScheme.size())),
       "' is not a name node; expected HOST or HOST:PORT, several separated by commas. Set the user in "
       "HADOOP_USER_NAME or HdfsOptions::user");
}

std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    std::string_view part = text.substr(at, end - at);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    parts.emplace_back(part);
    at = end + 1;
  }
  return parts;
}

bool is_rpc_port(int port) {
  return port == 0 || port == 8020 || port == 8021 || port == 9000;
}

bool is_wildcard(const std::string& host) {
  return host == "0.0.0.0" || host == "[::]";
}

/// What one address becomes, with its scheme and its configuration.
class ClusterFinder {
 public:
  ClusterFinder(const HadoopConfig& config, bool is_https) : config_(config), is_https_(is_https) {}

  /// `has_rpc_ports`: the scheme is hdfs.
  [[nodiscard]] std::vector<std::string> nodes(const std::string& authority, bool has_rpc_ports) const {
    if (is_service(authority)) return nodes_of_service(authority);
    std::vector<std::string> found;
    for (const std::string& text : split_at_commas(authority)) {
      const HostPort given = given_host_port(text);
      const bool is_http = has_rpc_ports ? !is_rpc_port(given.port) : given.port != 0;
      found.push_back(is_http || !has_rpc_ports ? node_address(given) : configured(given));
    }
    return found;
  }

 private:
  [[nodiscard]] std::string node_address(const HostPort& node) const {
    const int port = node.port != 0 ? node.port : (is_https_ ? 9871 : 9870);
    return concat(is_https_ ? "https://" : "http://", node.host, ":", port);
  }

  [[nodiscard]] std::string_view http_property() const {
    return is_https_ ? "dfs.namenode.https-address" : "dfs.namenode.http-address";
  }

  [[nodiscard]] HostPort host_port(std::string_view property, std::string_view ending) const {
    return host_port_in(config_.value(concat(property, ending))).value_or(HostPort());
  }

  [[nodiscard]] bool is_default(const std::string& host) const {
    const std::string text = config_.value("fs.defaultFS");
    const auto node = has_scheme(text) ? host_port_in(parse_address(text).authority) : std::nullopt;
    return node && node->host == host;
  }

  [[nodiscard]] bool is_service(const std::string& name) const {
    const std::vector<std::string> services = split_at_commas(config_.value("dfs.nameservices"));
    return !name.empty() && std::find(services.begin(), services.end(), name) != services.end();
  }

  [[nodiscard]] std::vector<std::string> nodes_of_service(const std::string& service) const {
    std::vector<std::string> found;
    for (const std::string& node : split_at_commas(config_.value("dfs.ha.namenodes." + service))) {
      const std::string ending = "." + service + (node.empty() ? "" : "." + node);
      HostPort http = host_port(http_property(), ending);
      // Where it listens on every address of its machine, the other property says which machine that is.
      if (http.host.empty() || is_wildcard(http.host)) http.host = host_port(kRpcAddress, ending).host;
      if (!http.host.empty()) found.push_back(node_address(http));
    }
    if (!found.empty()) return found;
    fail(ErrorCode::invalid_argument, "hdfs-site.xml in '", printable(hadoop_config_folder()),
         "' has the name service '", printable(service), "', but for its name nodes no ", http_property(),
         ".", printable(service), ".NODE");
  }

  /// The HTTP address of the host that hdfs-site.xml has, else with the usual port.
  [[nodiscard]] std::string configured(const HostPort& rpc) const {
    std::vector<std::string> endings = config_.endings(kRpcAddress);
    const std::vector<std::string> more = config_.endings(http_property());
    endings.insert(endings.end(), more.begin(), more.end());
    for (const std::string& ending : endings) {
      HostPort http = host_port(http_property(), ending);
      if (http.host.empty()) continue;
      const bool is_same = http.host == rpc.host || host_port(kRpcAddress, ending).host == rpc.host ||
                           (ending.empty() && is_wildcard(http.host) && is_default(rpc.host));
      if (!is_same) continue;
      http.host = rpc.host;
      return node_address(http);
    }
    return node_address({rpc.host, 0});
  }

  const HadoopConfig& config_;
  bool is_https_;
};

Address default_address(const Address& address, const HadoopConfig& config) {
  std::string text = config.value("fs.defaultFS");
  if (text.empty()) text = config.value("fs.default.name");
  const std::string where = hadoop_config_folder();
  if (text.empty()) {
    fail(ErrorCode::invalid_argument, "'", printable(shown(to_string(address))),
         "' names no host, and there is no fs.defaultFS in ",
         where.empty() ? std::string("core-site.xml: HADOOP_CONF_DIR, which names its folder, is not set")
                       : concat("core-site.xml in '", printable(where), "'"));
  }
  const Address found = has_scheme(text) ? parse_address(text) : Address();
  const bool is_hdfs = found.scheme == "hdfs" || found.scheme == "webhdfs" || found.scheme == "swebhdfs";
  if (is_hdfs && !found.authority.empty()) return found;
  fail(ErrorCode::invalid_argument, "'", printable(shown(to_string(address))),
       "' names no host, and fs.defaultFS in core-site.xml in '", printable(where), "' is '",
       printable(shown(text)), "'; expected an address of hdfs, webhdfs or swebhdfs");
}

}  // namespace

bool needs_hadoop_config(const Address& address, const HdfsOptions& options) {
  if (!options.name_nodes.empty()) return false;
  const bool has_ports = address.authority.find(':') != std::string::npos;
  return address.scheme == "hdfs" || !has_ports;
}

HdfsCluster find_cluster(const Address& address, const HdfsOptions& options, const HadoopConfig& config) {
  const bool is_https = address.scheme == "swebhdfs" ||
                        (address.scheme == "hdfs" && config.value("dfs.http.policy") == "HTTPS_ONLY");
  const ClusterFinder finder(config, is_https);
  HdfsCluster cluster;
  if (!options.name_nodes.empty()) {
    for (const std::string& node : options.name_nodes)
      cluster.name += (cluster.name.empty() ? "" : ",") + node;
    cluster.name_nodes = finder.nodes(cluster.name, false);
  } else {
    const Address with_host = address.authority.empty() ? default_address(address, config) : address;
    cluster.name = with_host.authority;
    cluster.name_nodes = finder.nodes(cluster.name, with_host.scheme == "hdfs");
  }
  if (cluster.name_nodes.size() > kMostNameNodes) {
    fail(ErrorCode::invalid_argument, "'", printable(cluster.name), "' names ", cluster.name_nodes.size(),
         " name nodes; expected at most ", kMostNameNodes);
  }
  cluster.name.resize(std::min(cluster.name.find(','), cluster.name.size()));
  return cluster;
}

}  // namespace mxinfer::sources
