// Keys from a process's environment: those of its container, and those of its EC2 instance.
//
//   if (const auto request = container_request()) return container_keys(options, pool, *request);
//   std::string why;
//   if (const auto keys = instance_keys(pool, config, why)) return *keys;
#pragma once

#include <mxinfer/remote_options.h>

#include <optional>
#include <string>

#include "sources/remote/http/http.h"
#include "sources/remote/s3/aws_config.h"
#include "sources/remote/s3/aws_keys.h"

namespace mxinfer::sources {

/// What AWS_CONTAINER_CREDENTIALS_RELATIVE_URI or AWS_CONTAINER_CREDENTIALS_FULL_URI asks for; nothing if
/// neither is set. Throws Error(invalid_argument) for http to any host but the loopback and those that AWS
/// has for it, since a token of the environment is sent there.
std::optional<HttpRequest> container_request();

/// Throws Error(network) if there are none.
ExpiringKeys container_keys(const RemoteOptions& options, HttpPool& pool, const HttpRequest& request);

/// The keys of the instance's role, by IMDSv2; nullopt and the reason if there are none. Outside EC2 that
/// takes at most two seconds.
std::optional<ExpiringKeys> instance_keys(HttpPool& pool, const AwsConfig& config, std::string& why);

}  // namespace mxinfer::sources
