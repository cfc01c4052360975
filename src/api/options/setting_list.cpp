#include "api/options/setting_list.h"

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>

#include "api/options/data_desc_text.h"
#include "api/options/setting_values.h"
#include "tensor/names.h"

namespace mxinfer::api {
namespace {

using Values = SettingValues;
using Text = std::string_view;

constexpr std::int64_t kMostBytes = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMostInt = std::numeric_limits<int>::max();

int whole_int(Text text, std::int64_t least) {
  return static_cast<int>(parse_whole(text, least, kMostInt));
}

std::size_t bytes(Text text) {
  return static_cast<std::size_t>(parse_count(text));
}

template <typename Duration>
Duration duration(Text text) {
  return Duration(parse_whole(text, 0, std::int64_t{1} << 42));
}

const NamedValues<RandomTransforms>& random_transforms() {
  static const auto& values = *new NamedValues<RandomTransforms>{{"reject", RandomTransforms::reject},
                                                                 {"identity", RandomTransforms::identity},
                                                                 {"execute", RandomTransforms::execute}};
  return values;
}

const NamedValues<WhenFull>& when_full() {
  static const auto& values = *new NamedValues<WhenFull>{
      {"reject", WhenFull::reject}, {"block", WhenFull::block}, {"drop_oldest", WhenFull::drop_oldest}};
  return values;
}

const NamedValues<CachePolicy>& cache_policies() {
  static const auto& values = *new NamedValues<CachePolicy>{{"use", CachePolicy::use},
                                                            {"refresh", CachePolicy::refresh},
                                                            {"offline", CachePolicy::offline},
                                                            {"none", CachePolicy::none}};
  return values;
}

const NamedValues<ResizePolicy>& resize_policies() {
  static const auto& values =
      *new NamedValues<ResizePolicy>{{"stretch", ResizePolicy::stretch},
                                     {"short_side_crop", ResizePolicy::short_side_crop},
                                     {"letterbox", ResizePolicy::letterbox}};
  return values;
}

const NamedValues<Interpolation>& interpolations() {
  static const auto& values = *new NamedValues<Interpolation>{{"nearest", Interpolation::nearest},
                                                              {"linear", Interpolation::linear},
                                                              {"cubic", Interpolation::cubic},
                                                              {"area", Interpolation::area},
                                                              {"lanczos4", Interpolation::lanczos4}};
  return values;
}

const NamedValues<ColorOrder>& color_orders() {
  static const auto& values =
      *new NamedValues<ColorOrder>{{"rgb", ColorOrder::rgb}, {"bgr", ColorOrder::bgr}};
  return values;
}

const NamedValues<BoxUnits>& box_units() {
  static const auto& values = *new NamedValues<BoxUnits>{
      {"automatic", BoxUnits::automatic}, {"relative", BoxUnits::relative}, {"pixels", BoxUnits::pixels}};
  return values;
}

/// Settings::set applies the preset first, so that it does not override the other settings.
void set_preset(Values& values, Text text) {
  values.preprocess = Preprocess::preset(with_underscores(text));
}

std::vector<Setting> load_settings() {
  constexpr SettingGroup kGroup = SettingGroup::load;
  return {
      {{"epoch", kGroup, "a whole number", "",
        "Epoch of the .params file to load, the number in its name, if there are several"},
       [](Values& v, Text t) { v.load.epoch = whole_int(t, 0); }},
      {{"graph", kGroup, "a name", "", "Graph of a bundle to load"},
       [](Values& v, Text t) { v.load.graph = std::string(t); }},
      {{"inputs", kGroup, "NAME=SHAPE[:DTYPE[:LAYOUT[:MEANING]]], several separated by ';', or a JSON array",
        "", "Descriptions of the inputs, if the file lacks them"},
       [](Values& v, Text t) { v.load.inputs = parse_data_descs(t); }},
      {{"input_names", kGroup, "a name, or a JSON array of names", "",
        "Variables to feed as inputs, even if they are parameters of a layer"},
       [](Values& v, Text t) { v.load.input_names = parse_texts(t); }},
      {{"outputs", kGroup, "a name, or a JSON array of names", "",
        "Inner values to return instead of the network's outputs"},
       [](Values& v, Text t) { v.load.outputs = parse_texts(t); }},
      {{"labels", kGroup, "a JSON array of names", "", "Class names to use instead of the model's"},
       [](Values& v, Text t) { v.load.labels = parse_texts(t); }},
      {{"load_transforms", kGroup, "true or false", "true",
        "If false, loads the network without the transforms before and after it"},
       [](Values& v, Text t) { v.load.load_transforms = parse_truth(t); }},
      {{"verify", kGroup, "true or false", "false",
        "If true, runs the sample stored in the file and compares the outputs"},
       [](Values& v, Text t) { v.load.verify = parse_truth(t); }},
      {{"random_transforms", kGroup, "reject, identity or execute", "reject",
        "How to treat operators that draw random numbers"},
       [](Values& v, Text t) { v.load.random_transforms = parse_named(random_transforms(), t); }},
      {{"seed", kGroup, "a whole number", "0", "Seed of random_transforms = execute"},
       [](Values& v, Text t) { v.load.seed = parse_count(t); }},
      {{"read_weights_at_once", kGroup, "true or false", "false",
        "If false, reads large weights when a plan first needs them"},
       [](Values& v, Text t) { v.load.read_weights_at_once = parse_truth(t); }},
      {{"sha256", kGroup, "64 hexadecimal digits, or a JSON array of such strings", "",
        "Accepted checksums: each file of the model that is read must have one of these"},
       [](Values& v, Text t) { v.load.sha256 = parse_texts(t); }},
      {{"cache", kGroup, "use, refresh, offline or none", "use",
        "How to use the local copies of files that were fetched from addresses"},
       [](Values& v, Text t) { v.load.remote.cache = parse_named(cache_policies(), t); }},
      {{"cache_folder", kGroup, "a folder", "",
        "Folder of the local copies; if empty, MXINFER_CACHE_DIR or ~/.cache/mxinfer"},
       [](Values& v, Text t) { v.load.remote.cache_folder = std::string(t); }},
      {{"cache_bytes", kGroup, "a number of bytes", "10737418240", "Maximum total size of the local copies"},
       [](Values& v, Text t) { v.load.remote.cache_bytes = parse_whole(t, 0, kMostBytes); }},
      {{"connect_timeout", kGroup, "milliseconds", "10000", "Maximum time to establish a connection"},
       [](Values& v, Text t) { v.load.remote.connect_timeout = duration<std::chrono::milliseconds>(t); }},
      {{"stall_timeout", kGroup, "milliseconds", "30000", "Maximum time that a transfer may receive no data"},
       [](Values& v, Text t) { v.load.remote.stall_timeout = duration<std::chrono::milliseconds>(t); }},
      {{"retries", kGroup, "a whole number", "4", "Number of retries after a failure that may be temporary"},
       [](Values& v, Text t) { v.load.remote.retries = whole_int(t, 0); }},
      {{"connections", kGroup, "a whole number from 1", "4",
        "Number of parts of a large file that are fetched at the same time"},
       [](Values& v, Text t) { v.load.remote.connections = whole_int(t, 1); }},
      {{"max_file_bytes", kGroup, "a number of bytes", "68719476736",
        "Maximum size of a file at an address; a larger file is an error"},
       [](Values& v, Text t) { v.load.remote.max_file_bytes = parse_whole(t, 0, kMostBytes); }},
      {{"max_redirects", kGroup, "a whole number", "5", "Maximum number of redirects to follow"},
       [](Values& v, Text t) { v.load.remote.max_redirects = whole_int(t, 0); }},
      {{"allow_private_redirects", kGroup, "true or false", "false",
        "If true, follows redirects from public addresses into private networks"},
       [](Values& v, Text t) { v.load.remote.allow_private_redirects = parse_truth(t); }},
      {{"headers", kGroup, "a header, or a JSON array of headers", "",
        "Headers of HTTP and HTTPS requests, such as Authorization: Bearer TOKEN"},
       [](Values& v, Text t) { v.load.remote.headers = parse_texts(t); },
       true},
  };
}

std::vector<Setting> s3_settings() {
  constexpr SettingGroup kGroup = SettingGroup::load;
  return {
      {{"s3_region", kGroup, "a name", "", "Region for s3://; if empty, from the environment or ~/.aws"},
       [](Values& v, Text t) { v.load.remote.s3.region = std::string(t); }},
      {{"s3_endpoint", kGroup, "an address", "",
        "Server for s3:// other than AWS, such as https://minio.example:9000"},
       [](Values& v, Text t) { v.load.remote.s3.endpoint = std::string(t); }},
      {{"s3_profile", kGroup, "a name", "", "Profile in ~/.aws for s3://; if empty, AWS_PROFILE"},
       [](Values& v, Text t) { v.load.remote.s3.profile = std::string(t); }},
      {{"s3_path_style", kGroup, "true or false", "",
        "URLs for s3://: if true, ENDPOINT/BUCKET/KEY; if false, BUCKET.ENDPOINT/KEY. If not set, true with "
        "s3_endpoint and for bucket names with dots"},
       [](Values& v, Text t) { v.load.remote.s3.path_style = parse_truth(t); }},
      {{"s3_anonymous", kGroup, "true or false", "false",
        "If true, requests for s3:// are not signed and need no credentials, for public buckets"},
       [](Values& v, Text t) { v.load.remote.s3.anonymous = parse_truth(t); }},
      {{"s3_access_key_id", kGroup, "a string", "",
        "Access key for s3://, instead of the credentials in the environment and ~/.aws"},
       [](Values& v, Text t) { v.load.remote.s3.access_key_id = std::string(t); }},
      {{"s3_secret_access_key", kGroup, "a string", "", "Secret key that belongs to s3_access_key_id"},
       [](Values& v, Text t) { v.load.remote.s3.secret_access_key = std::string(t); },
       true},
      {{"s3_session_token", kGroup, "a string", "",
        "Session token of temporary credentials, with s3_access_key_id"},
       [](Values& v, Text t) { v.load.remote.s3.session_token = std::string(t); },
       true},
  };
}

std::vector<Setting> hdfs_settings() {
  constexpr SettingGroup kGroup = SettingGroup::load;
  return {
      {{"hdfs_user", kGroup, "a name", "",
        "User for hdfs://, webhdfs:// and swebhdfs://; if empty, HADOOP_USER_NAME or the user of the "
        "process"},
       [](Values& v, Text t) { v.load.remote.hdfs.user = std::string(t); }},
      {{"hdfs_delegation_token", kGroup, "a string", "",
        "Delegation token for HDFS, used instead of the user; if empty, HADOOP_TOKEN"},
       [](Values& v, Text t) { v.load.remote.hdfs.delegation_token = std::string(t); },
       true},
      {{"hdfs_name_nodes", kGroup, "HOST:PORT, or a JSON array of such strings", "",
        "HTTP addresses of the HDFS name nodes; if empty, from the address or hdfs-site.xml"},
       [](Values& v, Text t) { v.load.remote.hdfs.name_nodes = parse_texts(t); }},
      {{"hdfs_kerberos", kGroup, "true or false", "false",
        "If true, authenticates to HDFS with the Kerberos ticket of the user of the process"},
       [](Values& v, Text t) { v.load.remote.hdfs.kerberos = parse_truth(t); }},
  };
}

std::vector<Setting> run_settings() {
  constexpr SettingGroup kGroup = SettingGroup::run;
  return {
      {{"threads", kGroup, "a whole number", "0", "Number of threads per call; 0: all cores of the process"},
       [](Values& v, Text t) { v.run.threads = whole_int(t, 0); }},
      {{"scheduling", kGroup, "automatic, latency or throughput", "automatic", "How a call uses its threads"},
       [](Values& v, Text t) { v.run.scheduling = parse_scheduling(t); }},
      {{"target", kGroup, "automatic, ref, baseline, avx2 or avx512", "automatic",
        "Instruction set; automatic: the best that the CPU supports"},
       [](Values& v, Text t) { v.run.target = parse_target(t); }},
      {{"precision", kGroup, "float32, bfloat16, tf32 or float16", "float32",
        "Precision of large products; tf32 and float16 only on CUDA devices. Aliases: fp32, bf16, fp16, "
        "half"},
       [](Values& v, Text t) { v.run.precision = parse_precision(t); }},
      {{"device", kGroup, "cpu, cuda, cuda:N, several (cuda:0,cuda:1) or cuda:all", "cpu",
        "Device that runs the network: the CPU, an NVIDIA GPU, or several of them that share the calls; gpu "
        "is an alias of cuda"},
       [](Values& v, Text t) { v.run.device = to_string(parse_devices(t)); }},
      {{"cpu_fallback", kGroup, "true or false", "true",
        "If false, a node for which the device has no kernel is an error"},
       [](Values& v, Text t) { v.run.cpu_fallback = parse_truth(t); }},
      {{"tuning_file", kGroup, "a path", "", "File of kernel choices that were measured on this machine"},
       [](Values& v, Text t) { v.run.tuning_file = std::string(t); }},
      {{"max_winograd_bytes", kGroup, "bytes", "18446744073709551615",
        "Maximum memory for Winograd weights in one plan"},
       [](Values& v, Text t) { v.run.max_winograd_bytes = bytes(t); }},
      {{"max_plans", kGroup, "a whole number", "32",
        "Maximum number of plans to keep, one per set of input shapes"},
       [](Values& v, Text t) { v.run.max_plans = bytes(t); }},
      {{"max_plan_bytes", kGroup, "bytes", "1073741824",
        "Maximum memory of the kept plans and their idle workspaces"},
       [](Values& v, Text t) { v.run.max_plan_bytes = bytes(t); }},
      {{"max_idle_executors", kGroup, "a whole number", "16",
        "Maximum number of idle workspaces to keep per plan"},
       [](Values& v, Text t) { v.run.max_idle_executors = bytes(t); }},
      {{"idle_limit", kGroup, "milliseconds", "0",
        "Time after which an idle workspace is released; 0: never"},
       [](Values& v, Text t) { v.run.idle_limit = duration<std::chrono::milliseconds>(t); }},
      {{"max_device_memory_bytes", kGroup, "bytes", "18446744073709551615",
        "Maximum memory of weights and of running calls on each GPU"},
       [](Values& v, Text t) { v.run.max_device_memory_bytes = bytes(t); }},
      {{"max_memory_bytes", kGroup, "bytes", "18446744073709551615",
        "Maximum memory of all plans and workspaces, including those in use"},
       [](Values& v, Text t) { v.run.max_memory_bytes = bytes(t); }},
  };
}

std::vector<Setting> queue_settings() {
  constexpr SettingGroup kGroup = SettingGroup::queue;
  return {
      {{"max_in_flight", kGroup, "a whole number from 1", "64",
        "Maximum number of predictions that wait or run at the same time"},
       [](Values& v, Text t) { v.run.async.max_in_flight = whole_int(t, 1); }},
      {{"when_full", kGroup, "reject, block or drop_oldest", "reject",
        "What submitting does while max_in_flight predictions wait or run"},
       [](Values& v, Text t) { v.run.async.when_full = parse_named(when_full(), t); }},
      {{"workers", kGroup, "a whole number", "0",
        "Number of threads that run submitted predictions; 0: one per core of the process"},
       [](Values& v, Text t) { v.run.async.workers = whole_int(t, 0); }},
      {{"max_batch", kGroup, "a whole number from 1", "1",
        "Maximum number of predictions that run as one batch"},
       [](Values& v, Text t) { v.run.async.max_batch = whole_int(t, 1); }},
      {{"max_delay", kGroup, "microseconds", "0",
        "Maximum time that a prediction waits for others to form a batch"},
       [](Values& v, Text t) { v.run.async.max_delay = duration<std::chrono::microseconds>(t); }},
  };
}

std::vector<Setting> image_settings() {
  constexpr SettingGroup kGroup = SettingGroup::image;
  return {
      {{"preset", kGroup, "raw, imagenet, imagenet_symbol, unit, minus_one_to_one or insightface", "raw",
        "Preprocessing preset, which the options below override"},
       set_preset},
      {{"resize", kGroup, "stretch, short_side_crop or letterbox", "stretch",
        "How to fit images to the network's size"},
       [](Values& v, Text t) { v.preprocess.resize = parse_named(resize_policies(), t); }},
      {{"resize_short", kGroup, "pixels", "0",
        "With short_side_crop, length of the short side before the crop; 0: the network's height * 256 / "
        "224"},
       [](Values& v, Text t) { v.preprocess.resize_short = whole_int(t, 0); }},
      {{"interpolation", kGroup, "nearest, linear, cubic, area or lanczos4", "linear",
        "Interpolation method for resizing"},
       [](Values& v, Text t) { v.preprocess.interpolation = parse_named(interpolations(), t); }},
      {{"color", kGroup, "rgb or bgr", "rgb", "Channel order"},
       [](Values& v, Text t) { v.preprocess.color = parse_named(color_orders(), t); }},
      {{"scale", kGroup, "a number", "1", "Scale in value = (pixel * scale - mean) / std"},
       [](Values& v, Text t) { v.preprocess.scale = parse_number(t); }},
      {{"mean", kGroup, "one number, or three separated by commas", "0",
        "Mean of all channels, or of each in the order of color"},
       [](Values& v, Text t) { v.preprocess.mean = parse_channels(t); }},
      {{"std", kGroup, "one number, or three separated by commas", "1",
        "Standard deviation of all channels, or of each in the order of color"},
       [](Values& v, Text t) { v.preprocess.std = parse_channels(t); }},
      {{"pad_value", kGroup, "a number from 0 to 255", "0", "With letterbox, pixel value around the image"},
       [](Values& v, Text t) { v.preprocess.pad_value = parse_number(t); }},
      {{"network_size", kGroup, "pixels", "0",
        "Height and width for a network that leaves them open; the options height and width override it"},
       [](Values& v, Text t) { v.preprocess.network_size = whole_int(t, 0); }},
      {{"apply_exif", kGroup, "true or false", "true", "If true, applies the EXIF orientation of images"},
       [](Values& v, Text t) { v.apply_exif = parse_truth(t); }},
      {{"height", kGroup, "pixels", "", "Height of the network's input, if the model leaves it open"},
       [](Values& v, Text t) { v.height = whole_int(t, 1); }},
      {{"width", kGroup, "pixels", "", "Width of the network's input, if the model leaves it open"},
       [](Values& v, Text t) { v.width = whole_int(t, 1); }},
  };
}

std::vector<Setting> result_settings() {
  return {
      {{"activation", SettingGroup::scores, "none, softmax or sigmoid", "none",
        "Activation that turns the network's outputs into scores"},
       [](Values& v, Text t) { v.activation = parse_activation(t); }},
      {{"min_score", SettingGroup::scores, "a number", "",
        "Minimum score; classes with a lower score are omitted"},
       [](Values& v, Text t) { v.min_score = parse_number(t); }},
      {{"units", SettingGroup::detector, "automatic, relative or pixels", "automatic",
        "Units of the network's box coordinates"},
       [](Values& v, Text t) { v.units = parse_named(box_units(), t); }},
  };
}

std::vector<Setting> all_settings() {
  std::vector<Setting> all;
  for (const auto& group : {load_settings(), s3_settings(), hdfs_settings(), run_settings(), queue_settings(),
                            image_settings(), result_settings()})
    all.insert(all.end(), group.begin(), group.end());
  return all;
}

}  // namespace

const std::vector<Setting>& setting_list() {
  static const auto& list = *new std::vector<Setting>(all_settings());  // no destructor at exit
  return list;
}

}  // namespace mxinfer::api
