// Where credentials come from, with a server on the loopback in the place of STS, the container's service and
// EC2's metadata.
#include "sources/remote/s3/aws_credentials.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "sources/address.h"
#include "sources/digest.h"
#include "sources/remote/s3/aws_metadata.h"
#include "sources/remote/s3/s3_signature.h"
#include "support/expect_error.h"
#include "support/files/temp_dir.h"
#include "support/servers/environment.h"
#include "support/servers/http_server.h"

namespace mxinfer::sources {
namespace {

using Answer = test::HttpServer::Answer;

// In no message.
const std::vector<std::string> kSecrets = {"s3cr3t", "t0k3n", "ACCESSKEY"};
const std::string kRoles = "/latest/meta-data/iam/security-credentials/";

std::string json_keys(const std::string& id, const std::string& expires) {
  return R"({"Code": "Success", "AccessKeyId": "ACCESSKEY-)" + id + R"(", "SecretAccessKey": "s3cr3t-)" + id +
         R"(", "Token": "t0k3n-)" + id + R"(", "Expiration": ")" + expires + "\"}";
}

std::string xml_keys(const std::string& id) {
  return "<AssumeRoleResponse "
         "xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><AssumeRoleResult><Credentials>"
         "<AccessKeyId>ACCESSKEY-" +
         id + "</AccessKeyId><SecretAccessKey>s3cr3t-" + id + "</SecretAccessKey><SessionToken>t0k3n-" + id +
         "&#x2b;</SessionToken><Expiration>2024-05-01T13:00:00Z</Expiration></Credentials></AssumeRoleResult>"
         "</AssumeRoleResponse>";
}

std::string file_keys(const std::string& id) {
  return "aws_access_key_id = ACCESSKEY-" + id + "\naws_secret_access_key = s3cr3t-" + id + "\n";
}

std::string body_of(const std::string& request) {
  return request.substr(request.find("\r\n\r\n") + 4);
}

class Credentials : public testing::Test {
 protected:
  Credentials()
      : now(*parse_utc("2024-05-01T12:00:00Z")),
        pool(options),
        credentials(options, pool, [this] { return now; }) {
    environment.set("HOME", home.path());
    environment.set("AWS_EC2_METADATA_SERVICE_ENDPOINT", server.address(""));
    environment.set("AWS_ENDPOINT_URL_STS", server.address("/"));
    options.retries = 0;
  }

  std::string found_id() {
    const AwsKeys keys = credentials.get();
    EXPECT_EQ(keys.secret_access_key.substr(6), keys.access_key_id.substr(9));
    return keys.access_key_id.substr(10);
  }

  void expect_refused(ErrorCode code, const std::vector<std::string>& facts) {
    try {
      credentials.get();
      ADD_FAILURE() << "no Error";
    } catch (const Error& e) {
      const std::string what = e.what();
      EXPECT_EQ(e.code(), code) << what;
      for (const std::string& fact : facts)
        EXPECT_NE(what.find(fact), std::string::npos) << what << "\n  lacks: " << fact;
      for (const std::string& secret : kSecrets) EXPECT_EQ(what.find(secret), std::string::npos) << what;
    }
  }

  void have_instance(const std::string& id, const std::string& expires = "2024-05-01T13:00:00Z") {
    server.files["/latest/api/token"] = "t0k3n-imds";
    server.files[kRoles] = "reader\n";
    server.files[kRoles + "reader"] = json_keys(id, expires);
  }

  void have_environment(const std::string& id) {
    environment.set("AWS_ACCESS_KEY_ID", "ACCESSKEY-" + id);
    environment.set("AWS_SECRET_ACCESS_KEY", "s3cr3t-" + id);
  }

  test::TempDir home;
  test::Environment environment;
  test::HttpServer server;
  UtcTime now;
  RemoteOptions options;
  HttpPool pool;
  AwsCredentials credentials;
};

TEST_F(Credentials, OfTheProgramComeFirst) {
  have_environment("env");
  options.s3.access_key_id = "ACCESSKEY-own";
  options.s3.secret_access_key = "s3cr3t-own";
  options.s3.session_token = "t0k3n-own";
  EXPECT_EQ(found_id(), "own");
  EXPECT_EQ(credentials.get().session_token, "t0k3n-own");
  EXPECT_FALSE(credentials.forget());
}

TEST_F(Credentials, OfTheProgramAreWhole) {
  options.s3.access_key_id = "ACCESSKEY-own";
  expect_refused(ErrorCode::invalid_argument, {"S3Options", "without a secret access key"});
  options.s3.secret_access_key = "s3cr3t\n";
  expect_refused(ErrorCode::invalid_argument, {"secret access key of S3Options", "line break"});
  options.s3.access_key_id.clear();
  expect_refused(ErrorCode::invalid_argument, {"without an access key id"});
}

TEST_F(Credentials, OfTheEnvironment) {
  have_instance("ec2");
  home.write(".aws/credentials", "[default]\n" + file_keys("file"));
  have_environment("env");
  environment.set("AWS_SESSION_TOKEN", "t0k3n-env");
  EXPECT_EQ(found_id(), "env");
  EXPECT_EQ(credentials.get().session_token, "t0k3n-env");
  EXPECT_TRUE(server.requests().empty());
  EXPECT_TRUE(credentials.forget());
  environment.unset("AWS_SECRET_ACCESS_KEY");
  expect_refused(ErrorCode::invalid_argument, {"environment", "AWS_ACCESS_KEY_ID"});
}

TEST_F(Credentials, OfAProfile) {
  home.write(".aws/config", "[profile a]\n" + file_keys("config") + "aws_session_token = t0k3n-config\n");
  home.write(".aws/credentials", "[default]\n" + file_keys("default") + "[b]\n" + file_keys("b"));
  EXPECT_EQ(found_id(), "default");
  environment.set("AWS_PROFILE", "a");
  EXPECT_TRUE(credentials.forget());
  EXPECT_EQ(found_id(), "config");
  EXPECT_EQ(credentials.get().session_token, "t0k3n-config");
  // What the program names comes before the environment.
  have_environment("env");
  options.s3.profile = "b";
  AwsCredentials other(options, pool);
  EXPECT_EQ(other.get().access_key_id, "ACCESSKEY-b");
}

TEST_F(Credentials, OfAProfileThatIsNotThere) {
  options.s3.profile = "none";
  expect_refused(ErrorCode::invalid_argument, {"'none'", home / ".aws/credentials"});
  home.write(".aws/credentials", "[none]\naws_access_key_id = ACCESSKEY-a\n");
  expect_refused(ErrorCode::invalid_argument, {"the profile 'none'", "without a secret access key"});
}

TEST_F(Credentials, ThatNeedABrowserOrAProgram) {
  const std::vector<std::pair<std::string, std::string>> profiles = {
      {"credential_process = helper s3cr3t", "another program (credential_process)"},
      {"sso_session = work", "(sso_session)"},
      {"sso_start_url = https://work.example/t0k3n", "(sso_start_url)"},
      {"role_arn = arn:aws:iam::1:role/r\nsource_profile = x\nmfa_serial = m", "(mfa_serial)"}};
  options.s3.profile = "it's";
  for (const auto& [settings, fact] : profiles) {
    home.write(".aws/config", "[profile \"it's\"]\n" + settings + "\n");
    expect_refused(ErrorCode::unsupported,
                   {"the profile 'it's'", fact, "aws configure export-credentials --profile"});
  }
  // Keys that another program wrote beside it will do.
  home.write(".aws/config", "[profile \"it's\"]\nsso_session = work\n");
  home.write(".aws/credentials", "[it's]\n" + file_keys("beside"));
  EXPECT_EQ(found_id(), "beside");
}

TEST_F(Credentials, OfAnInstance) {
  have_instance("ec2");
  EXPECT_EQ(found_id(), "ec2");
  EXPECT_EQ(credentials.get().session_token, "t0k3n-ec2");
  const auto requests = server.requests();
  ASSERT_EQ(requests.size(), 3U);
  EXPECT_EQ(requests[0].substr(0, 22), "PUT /latest/api/token ");
  EXPECT_EQ(test::header_of(requests[0], "X-aws-ec2-metadata-token-ttl-seconds"), "21600");
  EXPECT_EQ(test::header_of(requests[1], "X-aws-ec2-metadata-token"), "t0k3n-imds");
  EXPECT_EQ(test::header_of(requests[2], "X-aws-ec2-metadata-token"), "t0k3n-imds");
}

TEST_F(Credentials, OfAnInstanceAreAskedForTwice) {
  have_instance("ec2");
  server.faults.fail_first = 1;
  EXPECT_EQ(found_id(), "ec2");
  EXPECT_EQ(server.requests().size(), 4U);
  EXPECT_TRUE(credentials.forget());
  server.faults.fail_first = 2;
  expect_refused(ErrorCode::invalid_argument, {"answered 503"});
}

TEST_F(Credentials, OfAnInstanceWithoutARole) {
  server.files["/latest/api/token"] = "t0k3n-imds";
  expect_refused(ErrorCode::invalid_argument, {"404", "the instance has no role"});
  server.files[kRoles] = "reader";
  server.files[kRoles + "reader"] = R"({"Code": "AssumeRoleUnauthorizedAccess", "Message": "not trusted"})";
  expect_refused(ErrorCode::invalid_argument,
                 {"the role 'reader'", "AssumeRoleUnauthorizedAccess", "not trusted"});
  for (const char* other : {"[1]", "s3cr3t{", R"({"AccessKeyId": 3, "SecretAccessKey": "s3cr3t"})"}) {
    server.files[kRoles + "reader"] = other;
    expect_refused(ErrorCode::invalid_argument, {"no keys of the role 'reader'"});
  }
}

TEST_F(Credentials, OfAnInstanceThatSaysNothing) {
  have_instance("ec2");
  server.faults.stalls = true;
  expect_refused(ErrorCode::invalid_argument, {"no credentials", "EC2's metadata"});
  EXPECT_EQ(server.requests().size(), 2U);
}

TEST_F(Credentials, AreNowhere) {
  expect_refused(
      ErrorCode::invalid_argument,
      {"no credentials", "S3Options", "AWS_ACCESS_KEY_ID", "AWS_WEB_IDENTITY_TOKEN_FILE", "'default'",
       home / ".aws/credentials", home / ".aws/config", "No such file",
       "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "EC2's metadata (it answered 404", "S3Options::anonymous"});
  server.forget_requests();
  environment.set("AWS_EC2_METADATA_DISABLED", "true");
  expect_refused(ErrorCode::invalid_argument, {"AWS_EC2_METADATA_DISABLED"});
  EXPECT_TRUE(server.requests().empty());
}

TEST_F(Credentials, OfAContainer) {
  have_instance("ec2");
  server.files["/keys"] = json_keys("ecs", "2024-05-01T13:00:00Z");
  environment.set("AWS_CONTAINER_CREDENTIALS_FULL_URI", server.address("/keys?role=a"));
  environment.set("AWS_CONTAINER_AUTHORIZATION_TOKEN", "t0k3n-ecs");
  // Such a service is beside the process, not behind a proxy.
  environment.set("http_proxy", "http://127.0.0.1:1");
  EXPECT_EQ(found_id(), "ecs");
  EXPECT_EQ(credentials.get().session_token, "t0k3n-ecs");
  ASSERT_EQ(server.requests().size(), 1U);
  EXPECT_EQ(test::header_of(server.requests()[0], "Authorization"), "t0k3n-ecs");
  environment.set("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", home.write("token", "t0k3n-file\n"));
  EXPECT_TRUE(credentials.forget());
  static_cast<void>(credentials.get());
  EXPECT_EQ(test::header_of(server.requests()[1], "Authorization"), "t0k3n-file");
}

TEST_F(Credentials, OfAContainerThatRefuses) {
  have_instance("ec2");
  environment.set("AWS_CONTAINER_CREDENTIALS_FULL_URI", server.address("/keys"));
  environment.set("AWS_CONTAINER_AUTHORIZATION_TOKEN", "t0k3n-ecs");
  server.statuses["/keys"] = 400;
  server.files["/keys"] = R"({"code": "InvalidToken", "message": "no pod has t0k3n-ecs"})";
  expect_refused(ErrorCode::network, {"container", "127.0.0.1", "400", "InvalidToken", "no pod has ..."});
  server.statuses.clear();
  server.files["/keys"] = R"({"AccessKeyId": "ACCESSKEY-half"})";
  expect_refused(ErrorCode::network, {"container", "without keys"});
  server.redirects["/keys"] = server.address("/elsewhere");
  expect_refused(ErrorCode::network, {"302"});
  EXPECT_EQ(server.count("/elsewhere"), 0);
  server.redirects.clear();
  options.retries = 1;
  server.faults.fail_first = 2;
  expect_refused(ErrorCode::network, {"503", "2 times"});
  environment.set("AWS_CONTAINER_AUTHORIZATION_TOKEN", "t0k3n\r\nX: y");
  expect_refused(ErrorCode::invalid_argument, {"AWS_CONTAINER_AUTHORIZATION_TOKEN", "line break"});
  environment.set("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", home / "none");
  expect_refused(ErrorCode::invalid_argument, {"AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", home / "none"});
}

TEST_F(Credentials, OfAContainerAreAskedForNearby) {
  EXPECT_FALSE(container_request());
  const std::string name = "AWS_CONTAINER_CREDENTIALS_FULL_URI";
  for (const char* address :
       {"http://localhost/a", "http://127.0.0.1:80/a", "http://127.9.9.9/a", "http://[::1]:8080/a",
        "http://169.254.170.2/a", "http://169.254.170.23/v1/credentials",
        "http://[fd00:ec2::23]/v1/credentials", "https://keys.example/a"}) {
    environment.set(name, address);
    EXPECT_EQ(container_request()->address, address);
    EXPECT_FALSE(container_request()->uses_proxy);
  }
  for (const char* address :
       {"http://keys.example/a", "http://127.0.0.1.keys.example/a", "http://127.0.0.1@keys.example/a",
        "http://169.254.169.254/a", "http://localhost.keys.example", "http://[::2]/a", "http://10.0.0.1/a",
        "http://keys.example\\@127.0.0.1/a", "ftp://127.0.0.1/a", "file:///a", "/a", "http:///a",
        "http://2130706433/a", "http://t0k3n@127.0.0.1/a", "https://me:s3cr3t@keys.example/a"}) {
    environment.set(name, address);
    expect_refused(ErrorCode::invalid_argument, {name, "169.254.170.2", "localhost"});
  }
  environment.set("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "/v2/credentials/1");
  EXPECT_EQ(container_request()->address, "http://169.254.170.2/v2/credentials/1");
  environment.set("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "@keys.example/");
  expect_refused(ErrorCode::invalid_argument, {"RELATIVE_URI", "begin with '/'"});
}

TEST_F(Credentials, OfAWebIdentity) {
  have_instance("ec2");
  home.write(".aws/credentials", "[default]\n" + file_keys("file"));
  environment.set("AWS_WEB_IDENTITY_TOKEN_FILE", home.write("jwt", "t0k3n.jwt+/=\n"));
  expect_refused(ErrorCode::invalid_argument, {"AWS_ROLE_ARN"});
  environment.set("AWS_ROLE_ARN", "arn:aws:iam::1:role/reader");
  server.files["/"] = xml_keys("web");
  EXPECT_EQ(found_id(), "web");
  EXPECT_EQ(credentials.get().session_token, "t0k3n-web+");
  ASSERT_EQ(server.requests().size(), 1U);
  const std::string request = server.requests()[0];
  EXPECT_EQ(request.substr(0, 7), "POST / ");
  EXPECT_EQ(test::header_of(request, "Authorization"), "");
  EXPECT_EQ(test::header_of(request, "Content-Type"), "application/x-www-form-urlencoded; charset=utf-8");
  EXPECT_EQ(body_of(request),
            "Action=AssumeRoleWithWebIdentity&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Freader&RoleSessionName="
            "mxinfer&"
            "Version=2011-06-15&WebIdentityToken=t0k3n.jwt%2B%2F%3D");
  environment.set("AWS_ROLE_SESSION_NAME", "digits");
  EXPECT_TRUE(credentials.forget());
  static_cast<void>(credentials.get());
  EXPECT_EQ(server.count("RoleSessionName=digits"), 1);
}

TEST_F(Credentials, OfAWebIdentityThatIsRefused) {
  environment.set("AWS_WEB_IDENTITY_TOKEN_FILE", home.write("jwt", "t0k3n.jwt"));
  environment.set("AWS_ROLE_ARN", "arn:aws:iam::1:role/reader");
  server.statuses["/"] = 400;
  server.files["/"] =
      "<ErrorResponse><Error><Type>Sender</Type><Code>ExpiredTokenException</Code>"
      "<Message>Token t0k3n.jwt expired at 12:00 &gt; now</Message></Error></ErrorResponse>";
  expect_refused(ErrorCode::network, {"the role 'arn:aws:iam::1:role/reader'", server.address("/"), "400",
                                      "ExpiredTokenException", "Token ... expired at 12:00 > now"});
  server.statuses.clear();
  server.files["/"] = "<html>s3cr3t</html>";
  expect_refused(ErrorCode::network, {"answered 200 without keys"});
  environment.set("AWS_WEB_IDENTITY_TOKEN_FILE", home / "none");
  expect_refused(ErrorCode::invalid_argument, {"AWS_WEB_IDENTITY_TOKEN_FILE", home / "none", "No such file"});
}

/// Whether the request was signed with these keys, now.
void expect_signed(const std::string& request, const AwsKeys& keys, UtcTime now, const std::string& region) {
  SigningRequest expected;
  expected.method = "POST";
  expected.host = test::header_of(request, "Host");
  expected.headers = {{"content-type", test::header_of(request, "Content-Type")}};
  expected.payload_hash = sha256_hex(std::string_view(body_of(request)));
  expected.region = region;
  expected.service = "sts";
  EXPECT_EQ("Authorization: " + test::header_of(request, "Authorization"),
            sign(expected, keys, now).headers.back());
  EXPECT_EQ(test::header_of(request, "x-amz-security-token"), keys.session_token);
}

TEST_F(Credentials, OfARole) {
  home.write(
      ".aws/config",
      "[profile a]\nregion = eu-west-1\nrole_arn = arn:a\nsource_profile = b\nrole_session_name = digits\n"
      "external_id = x y\nduration_seconds = 900\n");
  home.write(".aws/credentials", "[b]\n" + file_keys("b") + "aws_session_token = t0k3n-b\n");
  server.files["/"] = xml_keys("role");
  options.s3.profile = "a";
  EXPECT_EQ(found_id(), "role");
  ASSERT_EQ(server.requests().size(), 1U);
  const std::string request = server.requests()[0];
  EXPECT_EQ(body_of(request),
            "Action=AssumeRole&DurationSeconds=900&ExternalId=x%20y&RoleArn=arn%3Aa&RoleSessionName=digits&"
            "Version=2011-06-15");
  expect_signed(request, {"ACCESSKEY-b", "s3cr3t-b", "t0k3n-b"}, now, "eu-west-1");
}

TEST_F(Credentials, OfARoleByWayOfAnother) {
  home.write(".aws/config",
             "[default]\nrole_arn = arn:a\nsource_profile = b\n"
             "[profile b]\nrole_arn = arn:b\nsource_profile = c\n" +
                 ("[profile c]\nrole_arn = arn:c\nsource_profile = c\n" + file_keys("c")));
  server.answers = [](const std::string& request) -> std::optional<Answer> {
    const std::size_t role = request.find("RoleArn=arn%3A");
    return Answer{200, xml_keys("of-" + request.substr(role + 14, 1))};
  };
  EXPECT_EQ(found_id(), "of-a");
  const auto requests = server.requests();
  ASSERT_EQ(requests.size(), 2U);  // c has keys, and need not be a role to give them
  expect_signed(requests[0], {"ACCESSKEY-c", "s3cr3t-c", ""}, now, "us-east-1");
  expect_signed(requests[1], {"ACCESSKEY-of-b", "s3cr3t-of-b", "t0k3n-of-b+"}, now, "us-east-1");
  // A role whose source is its own profile.
  options.s3.profile = "c";
  AwsCredentials other(options, pool, [this] { return now; });
  EXPECT_EQ(other.get().access_key_id, "ACCESSKEY-of-c");
}

TEST_F(Credentials, OfARoleByAWebIdentityOfAProfile) {
  home.write(".aws/config",
             "[default]\nrole_arn = arn:a\nsource_profile = b\n[profile b]\nrole_arn = arn:b\n"
             "web_identity_token_file = " +
                 home.write("jwt", "t0k3n.jwt") + "\n");
  server.files["/"] = xml_keys("role");
  EXPECT_EQ(found_id(), "role");
  EXPECT_EQ(server.count("WebIdentityToken=t0k3n.jwt"), 1);
  EXPECT_EQ(server.count("Action=AssumeRole&"), 1);
}

TEST_F(Credentials, OfARoleByWhatIsAround) {
  server.answers = [](const std::string& request) -> std::optional<Answer> {
    if (request.find("Action=AssumeRole") == std::string::npos) return std::nullopt;
    return Answer{200, xml_keys("role")};
  };
  options.s3.profile = "a";
  const auto have_source = [&](const std::string& source) {
    home.write(".aws/config", "[profile a]\nrole_arn = arn:a\ncredential_source = " + source + "\n");
  };
  have_source("Environment");
  expect_refused(ErrorCode::invalid_argument,
                 {"credential_source = Environment", "'a'", "AWS_ACCESS_KEY_ID"});
  have_environment("env");
  EXPECT_EQ(found_id(), "role");
  EXPECT_EQ(server.count("Credential=ACCESSKEY-env/"), 1);

  have_source("EcsContainer");
  EXPECT_TRUE(credentials.forget());
  expect_refused(ErrorCode::invalid_argument, {"EcsContainer", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"});
  server.files["/keys"] = json_keys("ecs", "2024-05-01T13:00:00Z");
  environment.set("AWS_CONTAINER_CREDENTIALS_FULL_URI", server.address("/keys"));
  EXPECT_EQ(found_id(), "role");
  EXPECT_EQ(server.count("Credential=ACCESSKEY-ecs/"), 1);

  have_source("Ec2InstanceMetadata");
  AwsCredentials other(options, pool, [this] { return now; });
  EXPECT_MXINFER_ERROR(other.get(), ErrorCode::network, {"Ec2InstanceMetadata", "404"});
  have_instance("ec2");
  EXPECT_EQ(other.get().access_key_id, "ACCESSKEY-role");
  EXPECT_EQ(server.count("Credential=ACCESSKEY-ec2/"), 1);

  have_source("Moon");
  AwsCredentials third(options, pool, [this] { return now; });
  EXPECT_MXINFER_ERROR(third.get(), ErrorCode::invalid_argument, {"Moon", "Environment, EcsContainer"});
}

TEST_F(Credentials, OfARoleWithoutASource) {
  const auto expect_source = [&](const std::string& config, const std::vector<std::string>& facts) {
    home.write(".aws/config", config);
    expect_refused(ErrorCode::invalid_argument, facts);
  };
  expect_source("[default]\nrole_arn = arn:a\n",
                {"'default'", "neither source_profile and credential_source"});
  expect_source("[default]\nrole_arn = arn:a\nsource_profile = b\ncredential_source = Environment\n",
                {"both"});
  expect_source("[default]\nrole_arn = arn:a\nsource_profile = b\n", {"'b'", "source_profile", "'default'"});
  expect_source("[default]\nrole_arn = arn:a\nsource_profile = b\n[profile b]\nregion = r\n",
                {"'b'", "source_profile", "has no keys"});
  expect_source(
      "[default]\nrole_arn = arn:a\nsource_profile = b\n[profile b]\nrole_arn = arn:b\nsource_profile = "
      "default\n",
      {"'b'", "leads back to 'default'"});
  expect_source("[default]\nrole_arn = arn:a\nsource_profile = default\n", {"leads back to 'default'"});
  EXPECT_TRUE(server.requests().empty());
}

TEST_F(Credentials, OfARoleThatIsRefused) {
  home.write(".aws/config", "[default]\nrole_arn = arn:a\nsource_profile = b\n");
  home.write(".aws/credentials", "[b]\n" + file_keys("b") + "aws_session_token = t0k3n-b\n");
  const auto refuse = [&](int status, const std::string& code, const std::string& message) {
    server.statuses["/"] = status;
    server.files["/"] = "<ErrorResponse><Error><Code>" + code + "</Code><Message>" + message +
                        "</Message></Error></ErrorResponse>";
  };
  refuse(403, "AccessDenied", "User me may not sts:AssumeRole");
  expect_refused(ErrorCode::network, {"the role 'arn:a'", "403", "AccessDenied", "User me may not"});
  refuse(403, "SignatureDoesNotMatch",
         "The Canonical String should have been x-amz-security-token:t0k3n-b s3cr3t");
  expect_refused(ErrorCode::network, {"SignatureDoesNotMatch", "secret access key"});
  refuse(403, "SignatureDoesNotMatch", "Signature expired: 20240501T120000Z is now earlier than t0k3n-b");
  expect_refused(ErrorCode::network, {"SignatureDoesNotMatch", "clock of this machine"});
  refuse(403, "InvalidClientTokenId", "t0k3n-b is none");
  expect_refused(ErrorCode::network, {"InvalidClientTokenId", "... is none"});
  options.retries = 1;
  server.forget_requests();
  refuse(400, "Throttling", "slow down");
  expect_refused(ErrorCode::network, {"slow down", "2 times"});
  EXPECT_EQ(server.requests().size(), 2U);
}

TEST_F(Credentials, OfARoleGoThroughProxies) {
  home.write(".aws/config", "[default]\nregion = eu-west-1\nrole_arn = arn:a\nsource_profile = b\n");
  home.write(".aws/credentials", "[b]\n" + file_keys("b"));
  environment.set("AWS_ENDPOINT_URL_STS", "http://sts.example:81");
  environment.set("http_proxy", server.address(""));
  server.answers = [](const std::string&) { return Answer{200, xml_keys("role")}; };
  EXPECT_EQ(found_id(), "role");
  EXPECT_EQ(server.requests()[0].substr(0, 29), "POST http://sts.example:81/ H");
}

TEST_F(Credentials, AreKeptUntilTheyExpire) {
  have_instance("first", "2024-05-01T13:00:00Z");
  EXPECT_EQ(found_id(), "first");
  have_instance("second", "2024-05-01T14:00:00Z");
  now += std::chrono::minutes(54);
  EXPECT_EQ(found_id(), "first");
  now += std::chrono::minutes(1);
  EXPECT_EQ(found_id(), "second");
  EXPECT_EQ(server.requests().size(), 6U);
}

TEST_F(Credentials, AreKeptWhileOthersCannotBeHad) {
  have_instance("first", "2024-05-01T13:00:00Z");
  EXPECT_EQ(found_id(), "first");
  server.files.clear();
  server.forget_requests();
  now += std::chrono::minutes(56);
  EXPECT_EQ(found_id(), "first");
  EXPECT_EQ(found_id(), "first");
  EXPECT_EQ(server.requests().size(), 1U);  // not with every request
  now += std::chrono::minutes(1);
  EXPECT_EQ(found_id(), "first");
  EXPECT_EQ(server.requests().size(), 2U);
  now += std::chrono::minutes(3);
  expect_refused(ErrorCode::invalid_argument, {"no credentials"});
  have_instance("second", "2024-05-01T14:00:00Z");
  EXPECT_EQ(found_id(), "second");
}

TEST_F(Credentials, ThatSeemToHaveExpiredAreTakenForAMinute) {
  have_instance("old", "2024-05-01T11:00:00Z");
  EXPECT_EQ(found_id(), "old");
  EXPECT_EQ(found_id(), "old");
  EXPECT_EQ(server.requests().size(), 3U);
  have_instance("short", "2024-05-01T12:03:00Z");
  now += std::chrono::minutes(1);
  EXPECT_EQ(found_id(), "short");
  now += std::chrono::seconds(59);
  EXPECT_EQ(found_id(), "short");
  EXPECT_EQ(server.requests().size(), 6U);
  now += std::chrono::seconds(1);
  EXPECT_EQ(found_id(), "short");
  EXPECT_EQ(server.requests().size(), 9U);
}

TEST_F(Credentials, ThatAreRefusedAreFoundAnew) {
  have_instance("first");
  EXPECT_EQ(found_id(), "first");
  have_instance("second");
  EXPECT_TRUE(credentials.forget());
  EXPECT_TRUE(credentials.forget());  // of another thread
  EXPECT_EQ(found_id(), "second");
  // Requests with the first keys that were on their way.
  for (int i = 0; i < 16; ++i) EXPECT_TRUE(credentials.forget());
  EXPECT_FALSE(credentials.forget());
  EXPECT_EQ(found_id(), "second");
  EXPECT_EQ(server.requests().size(), 6U);
  now += std::chrono::minutes(2);
  EXPECT_TRUE(credentials.forget());
  EXPECT_EQ(found_id(), "second");
  EXPECT_FALSE(credentials.forget());  // the same as before
}

TEST_F(Credentials, AreFoundOnceForAllThreads) {
  have_instance("ec2");
  std::vector<std::thread> threads;
  std::vector<std::string> ids(8);
  for (std::string& id : ids) threads.emplace_back([this, &id] { id = credentials.get().access_key_id; });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::count(ids.begin(), ids.end(), "ACCESSKEY-ec2"), 8);
  EXPECT_EQ(server.requests().size(), 3U);
}

}  // namespace
}  // namespace mxinfer::sources
