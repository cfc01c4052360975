#include <gtest/gtest.h>
#include <mxinfer/settings.h>

#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "support/expect_error.h"

namespace mxinfer {
namespace {

TEST(Settings, SetTheFieldsOfTheirNames) {
  Settings settings;
  settings.set("threads", "3").set("precision", "bfloat16").set("max_batch", "8").set("max_delay", "250");
  settings.set("idle_limit", "1500").set("max_plan_bytes", "18446744073709551615");
  const Options options = settings.options();
  EXPECT_EQ(options.threads, 3);
  EXPECT_EQ(options.precision, Precision::bfloat16);
  EXPECT_EQ(options.async.max_batch, 8);
  EXPECT_EQ(options.async.max_delay.count(), 250);
  EXPECT_EQ(options.idle_limit.count(), 1500);
  EXPECT_EQ(options.max_plan_bytes, std::numeric_limits<std::size_t>::max());
}

TEST(Settings, LoadingTakesListsAndDescriptors) {
  Settings settings;
  settings.set("epoch", "12").set("outputs", R"(["fc1", "fc2_output"])").set("input_names", "beta");
  settings.set("inputs", "data=-1,3,224,224:uint8:NCHW:image; im_info=(1, 3)");
  settings.set("load_transforms", "false").set("random_transforms", "identity");
  const LoadOptions load = settings.load_options();
  EXPECT_EQ(load.epoch, 12);
  EXPECT_EQ(load.outputs, (std::vector<std::string>{"fc1", "fc2_output"}));
  EXPECT_EQ(load.input_names, std::vector<std::string>{"beta"});
  ASSERT_EQ(load.inputs.size(), 2U);
  EXPECT_EQ(load.inputs[0].name, "data");
  EXPECT_EQ(load.inputs[0].shape, (Shape{-1, 3, 224, 224}));
  EXPECT_EQ(load.inputs[0].dtype, DType::uint8);
  EXPECT_EQ(load.inputs[0].meaning, Meaning::image);
  EXPECT_EQ(load.inputs[1].shape, (Shape{1, 3}));
  EXPECT_FALSE(load.load_transforms);
  EXPECT_EQ(load.random_transforms, RandomTransforms::identity);

  settings.set("inputs", R"([{"name": "ids", "shape": [-1, 7], "dtype": "int32", "layout": "NT"}])");
  const DataDesc ids = settings.load_options().inputs.at(0);
  EXPECT_EQ(ids.shape, (Shape{-1, 7}));
  EXPECT_EQ(ids.dtype, DType::int32);
  EXPECT_EQ(ids.layout, "NT");
}

TEST(Settings, APresetStandsBeforeTheOthersOfImages) {
  Settings settings;
  settings.set("mean", "1, 2, 3").set("resize", "letterbox").set("preset", "imagenet");
  const ImageOptions options = settings.image_options();
  EXPECT_EQ(options.preprocess.mean, (std::array<float, 3>{1, 2, 3}));
  EXPECT_EQ(options.preprocess.resize, ResizePolicy::letterbox);
  EXPECT_EQ(options.preprocess.std, Preprocess::preset("imagenet").std);
  settings.set("scale", "1/255").set("std", "0.5").set("height", "96");
  EXPECT_EQ(settings.image_options().preprocess.scale, 1.0F / 255.0F);
  EXPECT_EQ(settings.image_options().preprocess.std, (std::array<float, 3>{0.5F, 0.5F, 0.5F}));
  EXPECT_EQ(settings.image_options().height, 96);
  EXPECT_EQ(settings.detector_options().preprocess.mean, options.preprocess.mean);
}

TEST(Settings, ThoseOfS3AndHdfsReachTheirFields) {
  Settings settings;
  EXPECT_FALSE(settings.load_options().remote.s3.path_style.has_value());
  settings.set("s3_region", "eu-west-1").set("s3_endpoint", "https://minio.example:9000");
  settings.set("s3_profile", "models").set("s3_path_style", "false").set("s3_anonymous", "true");
  settings.set("s3_access_key_id", "id")
      .set("s3_secret_access_key", "[key")
      .set("s3_session_token", "session");
  const S3Options s3 = settings.load_options().remote.s3;
  EXPECT_EQ(s3.region, "eu-west-1");
  EXPECT_EQ(s3.endpoint, "https://minio.example:9000");
  EXPECT_EQ(s3.profile, "models");
  EXPECT_EQ(s3.path_style, std::optional<bool>(false));
  EXPECT_TRUE(s3.anonymous);
  EXPECT_EQ(s3.access_key_id, "id");
  EXPECT_EQ(s3.secret_access_key, "[key");
  EXPECT_EQ(s3.session_token, "session");

  settings.set("hdfs_user", "ada").set("hdfs_delegation_token", "token").set("hdfs_kerberos", "true");
  settings.set("hdfs_name_nodes", R"(["nn1.example:9870", "nn2.example"])");
  const HdfsOptions hdfs = settings.load_options().remote.hdfs;
  EXPECT_EQ(hdfs.user, "ada");
  EXPECT_EQ(hdfs.delegation_token, "token");
  EXPECT_EQ(hdfs.name_nodes, (std::vector<std::string>{"nn1.example:9870", "nn2.example"}));
  EXPECT_TRUE(hdfs.kerberos);
  settings.set("hdfs_name_nodes", "nn1.example").set("s3_path_style", "true");
  EXPECT_EQ(settings.load_options().remote.hdfs.name_nodes, std::vector<std::string>{"nn1.example"});
  EXPECT_EQ(settings.load_options().remote.s3.path_style, std::optional<bool>(true));
}

TEST(Settings, WrongValuesForS3AndHdfs) {
  Settings settings;
  for (const char* name : {"s3_path_style", "s3_anonymous", "hdfs_kerberos"}) {
    EXPECT_MXINFER_ERROR(settings.set(name, "yes"), ErrorCode::invalid_argument,
                         {name, "expects true or false, got 'yes'"});
  }
  EXPECT_MXINFER_ERROR(settings.set("hdfs_name_nodes", "[1]"), ErrorCode::invalid_argument,
                       {"hdfs_name_nodes", "item 0"});
}

/// What an attempt to set it says; empty: it was taken.
std::string refusal_of(Settings settings, const char* name, const std::string& value) {
  try {
    settings.set(name, value);
    return {};
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::invalid_argument);
    return e.what();
  }
}

TEST(Settings, NoMessageRepeatsASecret) {
  for (const char* name : {"headers", "s3_secret_access_key", "s3_session_token", "hdfs_delegation_token"}) {
    for (const char* value : {"[\"hush", "[\"a\", hush]", "[{\"hush\": 1, \"hush\": 2}]", "[\"hush\", 1]",
                              "hush\n\xff", "hush"}) {
      const std::string said = refusal_of({}, name, value);
      EXPECT_EQ(said.find("hush"), std::string::npos) << said;
    }
    Settings settings;
    const std::string said = refusal_of(settings.set(name, "hush"), "threads", "no");
    EXPECT_EQ(said.find("hush"), std::string::npos) << said;
    EXPECT_NE(said.find("threads"), std::string::npos) << said;
  }
  EXPECT_NE(refusal_of({}, "outputs", "[\"hush").find("hush"), std::string::npos) << "others are shown";
  EXPECT_MXINFER_ERROR(Settings().set("headers", "[\"hush"), ErrorCode::invalid_argument,
                       {"setting 'headers' expects a header, or a JSON array of headers", "not shown"});
}

TEST(Settings, DefaultsAreThoseOfTheStructs) {
  std::map<std::string, std::string> defaults;
  Settings settings;
  for (const SettingInfo& info : settings_known()) {
    defaults[info.name] = info.default_text;
    if (info.default_text[0] == '\0') continue;
    EXPECT_NO_THROW(Settings().set(info.name, info.default_text)) << info.name;
  }
  EXPECT_EQ(defaults["max_plans"], std::to_string(Options().max_plans));
  EXPECT_EQ(defaults["precision"], to_string(Options().precision));
  EXPECT_EQ(defaults["retries"], std::to_string(RemoteOptions().retries));
  EXPECT_EQ(defaults["device"], "cpu");
  EXPECT_EQ(defaults["scale"], "1");
  EXPECT_EQ(defaults["mean"], "0");
  EXPECT_EQ(defaults["height"], "") << "an std::optional without a value";
}

TEST(Settings, NamesAreUniqueAndHelped) {
  std::set<std::string> names;
  for (const SettingInfo& info : settings_known()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_STRNE(info.help, "");
    EXPECT_STRNE(info.value, "");
  }
  EXPECT_GE(names.size(), 40U);
}

TEST(Settings, NamesOfPrecisionsDevicesAndDtypesHaveOtherSpellings) {
  Settings settings;
  EXPECT_EQ(settings.set("precision", "bf16").options().precision, Precision::bfloat16);
  EXPECT_EQ(settings.set("precision", "half").options().precision, Precision::float16);
  EXPECT_EQ(settings.set("device", "GPU(1)").options().device, "cuda:1");
  EXPECT_EQ(settings.set("device", "cpu:0").options().device, "cpu");
  EXPECT_EQ(settings.set("device", "gpu:0, GPU(1)").options().device, "cuda:0,cuda:1");
  EXPECT_EQ(settings.set("device", "GPU:all").options().device, "cuda:all");
  const DataDesc data = settings.set("inputs", "data=-1,3,4,4:half:nchw").load_options().inputs[0];
  EXPECT_EQ(data.dtype, DType::float16);
  EXPECT_EQ(data.layout, "NCHW");
  const DataDesc listed =
      settings.set("inputs", R"([{"name": "a", "shape": [2], "dtype": "double"}])").load_options().inputs[0];
  EXPECT_EQ(listed.dtype, DType::float64);
  EXPECT_MXINFER_ERROR(settings.set("device", "tpu"), ErrorCode::invalid_argument,
                       {"setting 'device'", "\"tpu\" is not a device; it can be cpu, or a GPU: cuda:0"});
}

TEST(Settings, DtypesAreParsedByName) {
  EXPECT_EQ(parse_dtype("fp32"), DType::float32);
  EXPECT_EQ(parse_dtype("bool"), DType::boolean);
  EXPECT_MXINFER_ERROR(parse_dtype("float8"), ErrorCode::invalid_argument,
                       {"'float8' is not a dtype", "bfloat16"});
}

TEST(Settings, WrongNamesAndValuesSayWhatIsRight) {
  Settings settings;
  settings.set("threads", "2");
  EXPECT_MXINFER_ERROR(settings.set("thread", "4"), ErrorCode::invalid_argument,
                       {"no setting 'thread'", "did you mean 'threads'?"});
  EXPECT_MXINFER_ERROR(settings.set("xyzzy", "4"), ErrorCode::invalid_argument, {"xyzzy", "threads"});
  EXPECT_MXINFER_ERROR(settings.set("threads", "four"), ErrorCode::invalid_argument,
                       {"setting 'threads'", "'four'", "whole number"});
  EXPECT_MXINFER_ERROR(settings.set("threads", "4 "), ErrorCode::invalid_argument, {"'4 '"});
  EXPECT_MXINFER_ERROR(settings.set("precision", "int8"), ErrorCode::invalid_argument, {"bfloat16"});
  EXPECT_MXINFER_ERROR(settings.set("resize", "crop"), ErrorCode::invalid_argument, {"short_side_crop"});
  EXPECT_MXINFER_ERROR(settings.set("mean", "1,2"), ErrorCode::invalid_argument, {"three"});
  EXPECT_MXINFER_ERROR(settings.set("scale", "1/0"), ErrorCode::invalid_argument, {"1/0"});
  EXPECT_MXINFER_ERROR(settings.set("verify", "yes"), ErrorCode::invalid_argument,
                       {"expects true or false, got 'yes'"});
  EXPECT_MXINFER_ERROR(settings.set("outputs", "[\"a\", 3]"), ErrorCode::invalid_argument, {"item 1"});
  EXPECT_MXINFER_ERROR(settings.set("outputs", "[\"a\""), ErrorCode::invalid_argument, {"outputs"});
  EXPECT_MXINFER_ERROR(settings.set("inputs", "data"), ErrorCode::invalid_argument, {"NAME=SHAPE"});
  EXPECT_MXINFER_ERROR(settings.set("inputs", "data=1,,2"), ErrorCode::invalid_argument, {"1,,2"});
  EXPECT_MXINFER_ERROR(settings.set("inputs", "data=1,"), ErrorCode::invalid_argument, {"shape"});
  EXPECT_MXINFER_ERROR(settings.set("preset", "imagenot"), ErrorCode::invalid_argument, {"imagenet"});
  EXPECT_EQ(settings.options().threads, 2) << "a value that was refused changes nothing";
}

TEST(Settings, ThoseOfAnotherClassAreAnError) {
  Settings settings;
  settings.set("epoch", "0");
  EXPECT_NO_THROW((void)settings.options()) << "what is of loading is passed over";
  settings.set("activation", "softmax");
  EXPECT_EQ(settings.classifier_options().activation, Activation::softmax);
  EXPECT_MXINFER_ERROR((void)settings.options(), ErrorCode::invalid_argument, {"activation", "a Predictor"});
  EXPECT_MXINFER_ERROR((void)settings.detector_options(), ErrorCode::invalid_argument, {"activation"});
  settings.set("mean", "0.5");
  EXPECT_MXINFER_ERROR((void)settings.classifier_options(), ErrorCode::invalid_argument, {"mean", "image"});
  EXPECT_NO_THROW((void)settings.image_options());
}

TEST(Settings, CopiesAreIndependent) {
  Settings one;
  one.set("threads", "2");
  Settings other = one;
  other.set("threads", "5");
  EXPECT_EQ(one.options().threads, 2);
  EXPECT_EQ(other.options().threads, 5);
}

}  // namespace
}  // namespace mxinfer
