// Finds the name nodes of an address.
//
//   find_cluster(parse_address("hdfs://nn1.example:8020/models/digits"), {}, {});
//   // {"nn1.example:8020", {"http://nn1.example:9870"}}
#pragma once

#include <mxinfer/remote_options.h>

#include <string>
#include <vector>

#include "sources/address.h"
#include "sources/remote/hdfs/hadoop_config.h"

namespace mxinfer::sources {

struct HdfsCluster {
  std::string name;                     ///< of the service, else the first name node as it was given
  std::vector<std::string> name_nodes;  ///< "http://nn1.example:9870"
};

/// webhdfs names ports of HTTP, and swebhdfs of https. The hdfs ports 8020, 8021 and 9000 are ports of
/// Hadoop's RPC: then the HTTP port is the host's in hdfs-site.xml, else 9870. An authority may be the name
/// of a service in hdfs-site.xml, several hosts separated by commas, or empty, for fs.defaultFS.
/// HdfsOptions::name_nodes override all of that. Throws Error(invalid_argument) for an authority without name
/// nodes.
HdfsCluster find_cluster(const Address& address, const HdfsOptions& options, const HadoopConfig& config);

/// Whether find_cluster() looks into the configuration.
bool needs_hadoop_config(const Address& address, const HdfsOptions& options);

}  // namespace mxinfer::sources
