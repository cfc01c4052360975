// The places where keys are searched, in order:
//
//   1. S3Options itself
//   2. the environment: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN
//   3. a web identity: AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN
//   4. the profile in ~/.aws/credentials and ~/.aws/config: keys, or a role and what leads to it
//   5. the container: AWS_CONTAINER_CREDENTIALS_RELATIVE_URI, AWS_CONTAINER_CREDENTIALS_FULL_URI
//   6. the instance of EC2
//
// If S3Options::profile names a profile, 2 and 3 are skipped: the program takes precedence over its
// environment.
#pragma once

#include <mxinfer/remote_options.h>

#include "sources/remote/http/http.h"
#include "sources/remote/s3/aws_keys.h"

namespace mxinfer::sources {

/// The keys of the first place that has some. Throws if a place should have some but fails: Error(network),
/// Error(invalid_argument) for wrong settings, Error(unsupported) for profiles that need a browser or another
/// program. Throws Error(invalid_argument) with all places if none has any.
ExpiringKeys find_aws_keys(const RemoteOptions& options, HttpPool& pool, UtcTime now);

}  // namespace mxinfer::sources
