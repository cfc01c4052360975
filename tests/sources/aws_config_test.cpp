#include "sources/remote/s3/aws_config.h"

#include <gtest/gtest.h>

#include <string>

#include "sources/remote/s3/s3_address.h"
#include "support/expect_error.h"
#include "support/files/temp_dir.h"
#include "support/servers/environment.h"

namespace mxinfer::sources {
namespace {

class AwsConfigFiles : public testing::Test {
 protected:
  AwsConfigFiles() { environment.set("HOME", home.path()); }

  void write_config(const std::string& text) const { home.write(".aws/config", text); }
  void write_credentials(const std::string& text) const { home.write(".aws/credentials", text); }

  static std::string setting(const std::string& name, const std::string& profile = "") {
    return AwsConfig(profile).profile_setting(name);
  }

  test::TempDir home;
  test::Environment environment;
};

TEST(AwsIni, HasSectionsSettingsAndNestedOnes) {
  const AwsSections sections = parse_aws_ini(
      "# comment\n"
      "[default]\n"
      "Region = eu-west-1 # not a comment\r\n"
      "  ; comment\n"
      "output: json\n"
      "empty =\n"
      "s3 =\n"
      "    addressing_style = path\n"
      "\n"
      "    # comment\n"
      "    max_queue_size=1000\n"
      "long = a\n"
      "  b=c\n"
      "equals = a=b==\n"
      "\n"
      "  [ profile x ] more\n"
      "  region=us-west-2\n"
      "[default]\n"
      "region = eu-west-2",
      "config");
  const AwsSection expected{{"region", "eu-west-2"},
                            {"output", "json"},
                            {"empty", ""},
                            {"s3", ""},
                            {"s3.addressing_style", "path"},
                            {"s3.max_queue_size", "1000"},
                            {"long", "a\nb=c"},
                            // More of the value, since it is indented further.
                            {"equals", "a=b==\n[ profile x ] more\nregion=us-west-2"}};
  EXPECT_EQ(sections.at("default"), expected);
  EXPECT_EQ(sections.size(), 1U);
  EXPECT_TRUE(parse_aws_ini("", "config").empty());
  EXPECT_EQ(parse_aws_ini("\xef\xbb\xbf[ profile x ] more\n  a=1\n  b=2\n", "config").at("profile x"),
            (AwsSection{{"a", "1"}, {"b", "2"}}));
}

TEST(AwsIni, DamageIsNamedByItsLineAlone) {
  for (const char* text : {"secret = a", "[a]\n\nsecret\n", "[a]\n\n= secret\n", "[a]\nb =\n  secret\n"}) {
    try {
      parse_aws_ini(text, "/home/me/.aws/config");
      ADD_FAILURE() << text;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::malformed);
      const std::string what = e.what();
      EXPECT_NE(what.find(std::string("/home/me/.aws/config \u203a line ") + (text[0] == '[' ? "3" : "1")),
                std::string::npos)
          << what;
      EXPECT_EQ(what.find("secret"), std::string::npos) << what;
    }
  }
}

TEST_F(AwsConfigFiles, NeedNotBeThere) {
  EXPECT_EQ(AwsConfig("").profile(), "default");
  EXPECT_EQ(AwsConfig("").find_profile("default"), nullptr);
  EXPECT_EQ(AwsConfig("").region(), "");
  EXPECT_EQ(AwsConfig("").endpoint("s3"), "");
  EXPECT_NE(AwsConfig("").files().find(home / ".aws/credentials"), std::string::npos);
  environment.set("AWS_CONFIG_FILE", "/dev/null");
  EXPECT_EQ(AwsConfig("").region(), "");
}

TEST_F(AwsConfigFiles, HaveProfiles) {
  write_config(
      "[default]\nregion = a\n[profile b]\nregion = b\n[profile \"c d\"]\nregion = c\n"
      "[e]\nregion = e\n[sso-session f]\nsso_region = f\n[profile two words]\nregion = g\n[profiles]\n");
  write_credentials("[b]\naws_access_key_id = id\nregion = b2\n[profile h]\nregion = h\n[i]\n");
  EXPECT_EQ(setting("region"), "a");
  EXPECT_EQ(setting("region", "b"), "b2");
  EXPECT_EQ(setting("aws_access_key_id", "b"), "id");
  EXPECT_EQ(setting("region", "c d"), "c");
  EXPECT_EQ(setting("region", "profile h"), "h");
  EXPECT_EQ(setting("region", "i"), "");
  EXPECT_MXINFER_ERROR(AwsConfig("defalt"), ErrorCode::invalid_argument,
                       {"'defalt'", "S3Options::profile", home / ".aws/config", home / ".aws/credentials",
                        "did you mean 'default'", "b, c d, "});
  for (const char* name : {"e", "f", "two words", "two", "h"})
    EXPECT_MXINFER_ERROR(AwsConfig(name), ErrorCode::invalid_argument, {name, "there are: "});
}

TEST_F(AwsConfigFiles, KeysOfTwoFilesAreNotMixed) {
  write_config("[default]\naws_access_key_id = a\naws_secret_access_key = b\naws_session_token = c\n");
  EXPECT_EQ(setting("aws_session_token"), "c");
  write_credentials("[default]\naws_access_key_id = d\naws_secret_access_key = e\n");
  EXPECT_EQ(setting("aws_access_key_id"), "d");
  EXPECT_EQ(setting("aws_session_token"), "");
}

TEST_F(AwsConfigFiles, AreWhereTheEnvironmentSays) {
  home.write("other/config", "[profile x]\nregion = r\n");
  environment.set("AWS_CONFIG_FILE", "~/other/config");
  environment.set("AWS_DEFAULT_PROFILE", "x");
  EXPECT_EQ(AwsConfig("").region(), "r");
  environment.set("AWS_SHARED_CREDENTIALS_FILE", home.write("keys", "[y]\nregion = s\n"));
  environment.set("AWS_PROFILE", "y");
  EXPECT_EQ(AwsConfig("").region(), "s");
  EXPECT_EQ(AwsConfig("x").region(), "r");
  environment.set("AWS_PROFILE", "z");
  EXPECT_MXINFER_ERROR(AwsConfig(""), ErrorCode::invalid_argument, {"'z'", "AWS_PROFILE", home / "keys"});
}

TEST_F(AwsConfigFiles, ComeAfterTheEnvironment) {
  write_config("[default]\nregion = a\nendpoint_url = http://file\n");
  EXPECT_EQ(AwsConfig("").region(), "a");
  environment.set("AWS_DEFAULT_REGION", "b");
  EXPECT_EQ(AwsConfig("").region(), "b");
  environment.set("AWS_REGION", "c");
  EXPECT_EQ(AwsConfig("").region(), "c");
  EXPECT_EQ(AwsConfig("").endpoint("s3"), "http://file");
  environment.set("AWS_ENDPOINT_URL", "http://all");
  EXPECT_EQ(AwsConfig("").endpoint("s3"), "http://all");
  environment.set("AWS_ENDPOINT_URL_S3", "http://s3");
  EXPECT_EQ(AwsConfig("").endpoint("s3"), "http://s3");
  EXPECT_EQ(AwsConfig("").endpoint("sts"), "http://all");
  environment.set("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "True");
  EXPECT_EQ(AwsConfig("").endpoint("s3"), "");
}

TEST_F(AwsConfigFiles, HaveServices) {
  write_config(
      "[default]\nservices = mine\nendpoint_url = http://all\n"
      "[services mine]\ns3 =\n  endpoint_url = http://s3\n"
      "[profile deaf]\nservices = mine\nignore_configured_endpoint_urls = true\n"
      "[profile lost]\nservices = none\n");
  EXPECT_EQ(AwsConfig("").endpoint("s3"), "http://s3");
  EXPECT_EQ(AwsConfig("").endpoint("sts"), "http://all");
  EXPECT_EQ(AwsConfig("deaf").endpoint("s3"), "");
  EXPECT_MXINFER_ERROR(AwsConfig("lost").endpoint("s3"), ErrorCode::invalid_argument,
                       {"'lost'", "[services none]", home / ".aws/config"});
}

TEST_F(AwsConfigFiles, SayHowAServerIsSpokenTo) {
  write_config(
      "[default]\nregion = eu-west-3\n[profile p]\ns3 =\n  addressing_style = path\n"
      "[profile v]\nendpoint_url = http://minio\ns3 =\n  addressing_style = virtual\n"
      "[profile a]\ns3 =\n  addressing_style = auto\n");
  EXPECT_EQ(AwsConfig("").path_style(), std::nullopt);
  EXPECT_EQ(AwsConfig("a").path_style(), std::nullopt);
  EXPECT_EQ(AwsConfig("p").path_style(), true);
  EXPECT_EQ(AwsConfig("v").path_style(), false);
  const S3Service found = s3_service({}, AwsConfig("v"));
  EXPECT_EQ(found.region, "us-east-1");
  EXPECT_EQ(found.endpoint, "http://minio");
  EXPECT_EQ(found.path_style, false);
  EXPECT_EQ(s3_service({}, AwsConfig("")).region, "eu-west-3");
  S3Options options;
  options.region = "eu-west-1";
  options.endpoint = "http://other";
  options.path_style = true;
  const S3Service given = s3_service(options, AwsConfig("v"));
  EXPECT_EQ(given.region + given.endpoint, "eu-west-1http://other");
  EXPECT_EQ(given.path_style, true);
}

TEST_F(AwsConfigFiles, TokensAreInFiles) {
  EXPECT_EQ(token_in_file(home.write("token", "\n a.b \r\n"), "X"), "a.b");
  EXPECT_MXINFER_ERROR(token_in_file(home / "none", "X"), ErrorCode::invalid_argument,
                       {"'" + home / "none" + "'", "(X)", "No such file"});
  EXPECT_MXINFER_ERROR(token_in_file(home.write("blank", " \n"), "X"), ErrorCode::invalid_argument,
                       {"empty"});
}

}  // namespace
}  // namespace mxinfer::sources
