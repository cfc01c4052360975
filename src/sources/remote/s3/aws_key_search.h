// Where keys are looked for, and in which order:
//
//   1. S3Options itself
//   2. the environment: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN
//   3. a web identity: AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN
//   4. the profile in ~/.aws/credentials and ~/.aws/config: keys, or a role and what leads to it
//   5. the container: AWS_CONTAINER_CREDENTIALS_RELATIVE_URI, AWS_CONTAINER_CREDENTIALS_FULL_URI
//   6. the instance of EC2
//
// Where S3Options::profile names a profile, 2 and 3 are passed over: what the program says comes before what
// is around it.
#pragma once

#include <mxinfer/remote_options.h>

#include "sources/remote/http/http.h"
#include "sources/remote/s3/aws_keys.h"

namespace mxinfer::sources {

/// Those of the first place that has some. A place that should have some and fails is an Error:
/// Error(network), or Error(invalid_argument) for what is wrongly set; Error(unsupported) for profiles that
/// need a browser or another program. Error(invalid_argument) if no place has any, which names all.
ExpiringKeys find_aws_keys(const RemoteOptions& options, HttpPool& pool, UtcTime now);

}  // namespace mxinfer::sources
