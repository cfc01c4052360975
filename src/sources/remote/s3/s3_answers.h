// The XML answers of S3: refusals, and lists of names.
//
//   const S3Refusal refusal = s3_refusal(words);     // {"NoSuchBucket", "The specified bucket does not exist"}
//   const S3Page page = s3_page(answer, "models/");  // names behind the prefix, and where the next page begins
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sources/remote/http/http.h"

namespace mxinfer::sources {

struct S3Refusal {
  std::string code;
  std::string message;
};

/// Empty if the words are not those of S3.
S3Refusal s3_refusal(const std::string& words);

/// Advice, to follow "the server answered 403". Contains no secret that a server may echo.
std::string s3_advice(const HttpResponse& response, const std::string& words, bool is_anonymous);

struct S3Page {
  std::vector<std::string> names;  ///< not encoded, without the prefix; those of folders end in "/"
  std::string next;                ///< names the next page; empty at the end
};

/// Of ListObjectsV2. Throws Error(malformed) if it is no list, or has names that lead out of the folder.
S3Page s3_page(const std::string& answer, const std::string& folder);

}  // namespace mxinfer::sources
