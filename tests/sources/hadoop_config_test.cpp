#include "sources/remote/hdfs/hadoop_config.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/expect_error.h"
#include "support/files/temp_dir.h"
#include "support/servers/environment_variable.h"

namespace mxinfer::sources {
namespace {

HadoopConfig config_of(const std::string& xml) {
  HadoopConfig config;
  config.add(xml);
  return config;
}

std::string property(const std::string& name, const std::string& value) {
  return "<property><name>" + name + "</name><value>" + value + "</value></property>";
}

TEST(HadoopConfig, ReadsProperties) {
  const HadoopConfig config = config_of(R"(<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet type="text/xsl" href="configuration.xsl"?>
<configuration>
  <property>
    <name>fs.defaultFS</name>
    <value>
      hdfs://models
    </value>
    <description>where <b>models</b> are</description>
    <final>true</final>
  </property>
  <property><value>2</value><name>after.its.value</name></property>
  <property><name>empty</name><value></value></property>
  <property><name>valueless</name></property>
</configuration>)");
  EXPECT_EQ(config.value("fs.defaultFS"), "hdfs://models");
  EXPECT_EQ(config.value("after.its.value"), "2");
  EXPECT_EQ(config.value("empty"), "");
  EXPECT_EQ(config.value("valueless"), "");
  EXPECT_EQ(config.value("configuration"), "");
}

TEST(HadoopConfig, LaterFilesReplaceEarlierOnes) {
  HadoopConfig config = config_of(property("a", "1") + property("b", "2"));
  config.add(property("b", "3"));
  EXPECT_EQ(config.value("a"), "1");
  EXPECT_EQ(config.value("b"), "3");
}

TEST(HadoopConfig, ReadsEntities) {
  const HadoopConfig config =
      config_of(property("a", "1 &lt; 2 &amp;&amp; &quot;x&quot; &gt; &apos;&#65;&#x42;&apos;") +
                property("b", "&unknown; &amp &#0; &#9999999999; &;") + property("c", "&amp;lt;"));
  EXPECT_EQ(config.value("a"), "1 < 2 && \"x\" > 'AB'");
  EXPECT_EQ(config.value("b"), "&unknown; &amp &#0; &#9999999999; &;");
  EXPECT_EQ(config.value("c"), "&lt;");
}

TEST(HadoopConfig, PassesOverComments) {
  const HadoopConfig config = config_of("<!-- " + property("a", "old") + " -->" +
                                        property("a", "new<!-- 1 -->") + "<!--" + property("a", "unclosed"));
  EXPECT_EQ(config.value("a"), "new");
}

TEST(HadoopConfig, TakesAnyText) {
  for (const char* xml : {"", "<property>", "<property><name>a</name>", "<property><name></property></name>",
                          "<name>a</name><value>1</value>", "<!--", "</property><property>", "\xff\xfe<",
                          "<property><name></name><value>1</value></property>"}) {
    EXPECT_EQ(config_of(xml).value("a"), "") << xml;
  }
  EXPECT_EQ(config_of(std::string(1 << 20, '<')).endings("").size(), 0U);
}

TEST(HadoopConfig, FollowsReferences) {
  const test::EnvironmentVariable host("MXINFER_TEST_HOST", "nn1.example");
  const test::EnvironmentVariable none("MXINFER_TEST_NONE");
  const HadoopConfig config =
      config_of(property("port", "9870") + property("node", "${env.MXINFER_TEST_HOST}:${port}") +
                property("again", "http://${node}/") + property("unknown", "${nowhere}:${port}") +
                property("instead", "${env.MXINFER_TEST_NONE:-b}${env.MXINFER_TEST_NONE-c}") +
                property("unset", "${env.MXINFER_TEST_NONE}") + property("open", "${port"));
  EXPECT_EQ(config.value("again"), "http://nn1.example:9870/");
  EXPECT_EQ(config.value("unknown"), "${nowhere}:9870");
  EXPECT_EQ(config.value("instead"), "bc");
  EXPECT_EQ(config.value("unset"), "${env.MXINFER_TEST_NONE}");
  EXPECT_EQ(config.value("open"), "${port");
}

TEST(HadoopConfig, CirclesAndExplosionsEnd) {
  const HadoopConfig circle =
      config_of(property("a", "${b}") + property("b", "${a}") + property("c", "x${c}"));
  EXPECT_EQ(circle.value("a").size(), 4U);
  EXPECT_LT(circle.value("c").size(), 100U);
  const std::string many = std::string(60'000, 'y');
  EXPECT_LT(config_of(property("a", many + "${a}")).value("a").size(), 200'000U);
}

TEST(HadoopConfig, ListsEndings) {
  const HadoopConfig config =
      config_of(property("dfs.http.b.2", "") + property("dfs.http", "") + property("dfs.http.a", "") +
                property("dfs.https", "") + property("z", ""));
  EXPECT_EQ(config.endings("dfs.http"), (std::vector<std::string>{"", ".a", ".b.2", "s"}));
  EXPECT_EQ(config.endings("none"), std::vector<std::string>());
}

TEST(HadoopConfig, ComesFromTheFolderOfTheEnvironment) {
  const test::TempDir home;
  home.write("etc/hadoop/core-site.xml", property("a", "home"));
  home.write("conf/core-site.xml", property("a", "core") + property("b", "core"));
  home.write("conf/hdfs-site.xml", property("b", "hdfs"));
  const test::EnvironmentVariable none("HADOOP_CONF_DIR");
  {
    const test::EnvironmentVariable variable("HADOOP_HOME");
    EXPECT_EQ(hadoop_config_folder(), "");
    EXPECT_EQ(read_hadoop_config().value("a"), "");
  }
  const test::EnvironmentVariable variable("HADOOP_HOME", home.path());
  EXPECT_EQ(read_hadoop_config().value("a"), "home");
  const test::EnvironmentVariable folder("HADOOP_CONF_DIR", home / "conf");
  EXPECT_EQ(read_hadoop_config().value("a"), "core");
  EXPECT_EQ(read_hadoop_config().value("b"), "hdfs");
  const test::EnvironmentVariable nowhere("HADOOP_CONF_DIR", home / "nowhere");
  EXPECT_EQ(read_hadoop_config().value("a"), "");
}

TEST(HadoopConfig, FilesThatAreTooLargeAreRefused) {
  const test::TempDir folder;
  folder.write("hdfs-site.xml", std::string((4 << 20) + 1, ' '));
  const test::EnvironmentVariable variable("HADOOP_CONF_DIR", folder.path());
  EXPECT_MXINFER_ERROR(read_hadoop_config(), ErrorCode::invalid_argument, {"hdfs-site.xml"});
}

}  // namespace
}  // namespace mxinfer::sources
