// Signs requests for tests/remote/signatures_test.py, which compares them with botocore's.
//
// Each line of standard input is a JSON object, and so is each line of standard output, with the "url" and
// the "headers" to send, or with an "error".
//
//   {"method": "GET", "url": "s3://models/a%20b", "endpoint": "", "region": "eu-west-1", "service": "s3",
//    "query": [["max-keys", "2"]], "headers": [["Range", "bytes=0-9"]], "payload_hash": "UNSIGNED-PAYLOAD",
//    "access_key_id": "...", "secret_access_key": "...", "session_token": "", "time": "2024-05-01T12:34:56Z"}
//
// A "url" of https or http is taken as it is. Names and values of "query" are percent-encoded, so that they
// may hold any bytes; "path_style" may be true or false.
#include <mxinfer/error.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "sources/address.h"
#include "sources/remote/s3/s3_address.h"
#include "sources/remote/s3/s3_signature.h"

namespace {

using namespace mxinfer::sources;
using nlohmann::json;

HttpPlace place_of(const json& line) {
  const std::string url = line.at("url");
  if (!url.starts_with("s3://")) {
    const Address address = parse_address(url);
    return {address.scheme, address.authority, address.path};
  }
  S3Service service{line.at("region"), line.value("endpoint", "")};
  if (line.contains("path_style")) service.path_style = line.at("path_style").get<bool>();
  return s3_place(parse_s3_address(url), service);
}

json signed_line(const json& line) {
  const HttpPlace place = place_of(line);
  SigningRequest request;
  request.method = line.at("method");
  request.host = place.host;
  request.path = place.path;
  if (line.at("url").get<std::string>().starts_with("s3://"))
    request.query = parse_s3_address(line.at("url")).query;
  for (const auto& pair : line.at("query")) {
    request.query.emplace_back(percent_decoded(pair.at(0).get<std::string>()),
                               percent_decoded(pair.at(1).get<std::string>()));
  }
  for (const auto& pair : line.at("headers")) request.headers.emplace_back(pair.at(0), pair.at(1));
  request.payload_hash = line.at("payload_hash");
  request.region = line.at("region");
  request.service = line.at("service");
  const AwsKeys keys{line.at("access_key_id"), line.at("secret_access_key"), line.at("session_token")};
  const SignedRequest result = sign(request, keys, parse_utc(line.at("time").get<std::string>()).value());
  const std::string url = place.scheme + "://" + place.host + place.path;
  return {{"url", result.query.empty() ? url : url + "?" + result.query}, {"headers", result.headers}};
}

}  // namespace

int main() {
  for (std::string text; std::getline(std::cin, text);) {
    try {
      std::cout << signed_line(json::parse(text)).dump() << std::endl;
    } catch (const std::exception& e) {
      std::cout << json{{"error", e.what()}}.dump() << std::endl;
    }
  }
}
