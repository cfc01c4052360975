#include "api/options/setting_list.h"

#include <string>

#include "api/options/data_desc_text.h"
#include "api/options/setting_kinds.h"
#include "tensor/names.h"

namespace mxinfer::api {
namespace {

using Values = SettingValues;

/// Values under the names that to_string() gives them.
template <typename Value>
NamedValues<Value> named(std::initializer_list<Value> values) {
  NamedValues<Value> all;
  for (const Value value : values) all.emplace_back(to_string(value), value);
  return all;
}

OneOf<RandomTransforms> random_transforms() {
  return {{{"reject", RandomTransforms::reject},
           {"identity", RandomTransforms::identity},
           {"execute", RandomTransforms::execute}}};
}

OneOf<WhenFull> when_full() {
  return {{{"reject", WhenFull::reject}, {"block", WhenFull::block}, {"drop_oldest", WhenFull::drop_oldest}}};
}

OneOf<CachePolicy> cache_policies() {
  return {{{"use", CachePolicy::use},
           {"refresh", CachePolicy::refresh},
           {"offline", CachePolicy::offline},
           {"none", CachePolicy::none}}};
}

OneOf<ResizePolicy> resize_policies() {
  return {{{"stretch", ResizePolicy::stretch},
           {"short_side_crop", ResizePolicy::short_side_crop},
           {"letterbox", ResizePolicy::letterbox}}};
}

OneOf<Interpolation> interpolations() {
  return {{{"nearest", Interpolation::nearest},
           {"linear", Interpolation::linear},
           {"cubic", Interpolation::cubic},
           {"area", Interpolation::area},
           {"lanczos4", Interpolation::lanczos4}}};
}

OneOf<ColorOrder> color_orders() {
  return {{{"rgb", ColorOrder::rgb}, {"bgr", ColorOrder::bgr}}};
}

OneOf<BoxUnits> box_units() {
  return {
      {{"automatic", BoxUnits::automatic}, {"relative", BoxUnits::relative}, {"pixels", BoxUnits::pixels}}};
}

OneOf<Scheduling> schedulings() {
  return {named({Scheduling::automatic, Scheduling::latency, Scheduling::throughput}), parse_scheduling};
}

OneOf<Target> targets() {
  return {named({Target::automatic, Target::reference, Target::baseline, Target::avx2, Target::avx512}),
          parse_target};
}

OneOf<Precision> precisions() {
  return {named({Precision::float32, Precision::bfloat16, Precision::tf32, Precision::float16}),
          parse_precision};
}

OneOf<Activation> activations() {
  return {named({Activation::none, Activation::softmax, Activation::sigmoid}), parse_activation};
}

/// The value of FieldsOf::are_for_addresses.
constexpr bool kForAddresses = true;

Setting secret(Setting setting) {
  setting.is_secret = true;
  return setting;
}

struct DataDescs {
  static std::string values() {
    return "NAME=SHAPE[:DTYPE[:LAYOUT[:MEANING]]], several separated by ';', or a JSON array";
  }
  static void parse(std::string_view text, std::vector<DataDesc>& to) { to = parse_data_descs(text); }
  static std::string print(const std::vector<DataDesc>& /*from*/) { return {}; }
};

struct DeviceNames {
  static std::string values() { return "cpu, cuda, cuda:N, several (cuda:0,cuda:1) or cuda:all"; }
  static void parse(std::string_view text, std::string& to) { to = to_string(parse_devices(text)); }
  static std::string print(const std::string& from) { return from.empty() ? "cpu" : from; }
};

/// Sets all of Preprocess. Settings::set applies it first, so that it does not override the other settings.
struct PresetName {
  static std::string values() {
    return "raw, imagenet, imagenet_symbol, unit, minus_one_to_one or insightface";
  }
  static void parse(std::string_view text, Preprocess& to) {
    to = Preprocess::preset(with_underscores(text));
  }
  static std::string print(const Preprocess& /*from*/) { return "raw"; }
};

std::vector<Setting> load_settings() {
  const FieldsOf<LoadOptions> load{SettingGroup::load, [](Values& v) -> LoadOptions& { return v.load; }};
  return {
      load("epoch", Whole{}, &LoadOptions::epoch,
           "Epoch of the .params file to load, the number in its name, if there are several"),
      load("graph", Text{"a name"}, &LoadOptions::graph, "Graph of a bundle to load"),
      load("inputs", DataDescs{}, &LoadOptions::inputs, "Descriptions of the inputs, if the file lacks them"),
      load("input_names", Texts{"a name, or a JSON array of names"}, &LoadOptions::input_names,
           "Variables to feed as inputs, even if they are parameters of a layer"),
      load("outputs", Texts{"a name, or a JSON array of names"}, &LoadOptions::outputs,
           "Inner values to return instead of the network's outputs"),
      load("labels", Texts{"a JSON array of names"}, &LoadOptions::labels,
           "Class names to use instead of the model's"),
      load("load_transforms", Truth{}, &LoadOptions::load_transforms,
           "If false, loads the network without the transforms before and after it"),
      load("verify", Truth{}, &LoadOptions::verify,
           "If true, runs the sample stored in the file and compares the outputs"),
      load("random_transforms", random_transforms(), &LoadOptions::random_transforms,
           "How to treat operators that draw random numbers"),
      load("seed", Whole{}, &LoadOptions::seed, "Seed of random_transforms = execute"),
      load("read_weights_at_once", Truth{}, &LoadOptions::read_weights_at_once,
           "If false, reads large weights when a plan first needs them"),
      load("sha256", Texts{"64 hexadecimal digits, or a JSON array of such strings"}, &LoadOptions::sha256,
           "Accepted checksums: each file of the model that is read must have one of these"),
  };
}

std::vector<Setting> remote_settings() {
  const FieldsOf<RemoteOptions> remote{
      SettingGroup::load, [](Values& v) -> RemoteOptions& { return v.load.remote; }, kForAddresses};
  return {
      remote("cache", cache_policies(), &RemoteOptions::cache,
             "How to use the local copies of files that were fetched from addresses"),
      remote("cache_folder", Text{"a folder"}, &RemoteOptions::cache_folder,
             "Folder of the local copies; if empty, MXINFER_CACHE_DIR or ~/.cache/mxinfer"),
      remote("cache_bytes", Whole{"a number of bytes"}, &RemoteOptions::cache_bytes,
             "Maximum total size of the local copies"),
      remote("connect_timeout", Time{}, &RemoteOptions::connect_timeout,
             "Maximum time to establish a connection"),
      remote("stall_timeout", Time{}, &RemoteOptions::stall_timeout,
             "Maximum time that a transfer may receive no data"),
      remote("retries", Whole{}, &RemoteOptions::retries,
             "Number of retries after a failure that may be temporary"),
      remote("connections", Whole{"a whole number from 1", 1}, &RemoteOptions::connections,
             "Number of parts of a large file that are fetched at the same time"),
      remote("max_file_bytes", Whole{"a number of bytes"}, &RemoteOptions::max_file_bytes,
             "Maximum size of a file at an address; a larger file is an error"),
      remote("max_redirects", Whole{}, &RemoteOptions::max_redirects,
             "Maximum number of redirects to follow"),
      remote("allow_private_redirects", Truth{}, &RemoteOptions::allow_private_redirects,
             "If true, follows redirects from public addresses into private networks"),
      secret(remote("headers", Texts{"a header, or a JSON array of headers"}, &RemoteOptions::headers,
                    "Headers of HTTP and HTTPS requests, such as Authorization: Bearer TOKEN")),
  };
}

std::vector<Setting> s3_settings() {
  const FieldsOf<S3Options> s3{SettingGroup::load, [](Values& v) -> S3Options& { return v.load.remote.s3; },
                               kForAddresses};
  return {
      s3("s3_region", Text{"a name"}, &S3Options::region,
         "Region for s3://; if empty, from the environment or ~/.aws"),
      s3("s3_endpoint", Text{"an address"}, &S3Options::endpoint,
         "Server for s3:// other than AWS, such as https://minio.example:9000"),
      s3("s3_profile", Text{"a name"}, &S3Options::profile,
         "Profile in ~/.aws for s3://; if empty, AWS_PROFILE"),
      s3("s3_path_style", Truth{}, &S3Options::path_style,
         "URLs for s3://: if true, ENDPOINT/BUCKET/KEY; if false, BUCKET.ENDPOINT/KEY. If not set, true with "
         "s3_endpoint and for bucket names with dots"),
      s3("s3_anonymous", Truth{}, &S3Options::anonymous,
         "If true, requests for s3:// are not signed and need no credentials, for public buckets"),
      s3("s3_access_key_id", Text{}, &S3Options::access_key_id,
         "Access key for s3://, instead of the credentials in the environment and ~/.aws"),
      secret(s3("s3_secret_access_key", Text{}, &S3Options::secret_access_key,
                "Secret key that belongs to s3_access_key_id")),
      secret(s3("s3_session_token", Text{}, &S3Options::session_token,
                "Session token of temporary credentials, with s3_access_key_id")),
  };
}

std::vector<Setting> hdfs_settings() {
  const FieldsOf<HdfsOptions> hdfs{
      SettingGroup::load, [](Values& v) -> HdfsOptions& { return v.load.remote.hdfs; }, kForAddresses};
  return {
      hdfs("hdfs_user", Text{"a name"}, &HdfsOptions::user,
           "User for hdfs://, webhdfs:// and swebhdfs://; if empty, HADOOP_USER_NAME or the user of the "
           "process"),
      secret(hdfs("hdfs_delegation_token", Text{}, &HdfsOptions::delegation_token,
                  "Delegation token for HDFS, used instead of the user; if empty, HADOOP_TOKEN")),
      hdfs("hdfs_name_nodes", Texts{"HOST:PORT, or a JSON array of such strings"}, &HdfsOptions::name_nodes,
           "HTTP addresses of the HDFS name nodes; if empty, from the address or hdfs-site.xml"),
      hdfs("hdfs_kerberos", Truth{}, &HdfsOptions::kerberos,
           "If true, authenticates to HDFS with the Kerberos ticket of the user of the process"),
  };
}

std::vector<Setting> run_settings() {
  const FieldsOf<Options> run{SettingGroup::run, [](Values& v) -> Options& { return v.run; }};
  return {
      run("threads", Whole{}, &Options::threads, "Number of threads per call; 0: all cores of the process"),
      run("scheduling", schedulings(), &Options::scheduling, "How a call uses its threads"),
      run("target", targets(), &Options::target,
          "Instruction set; automatic: the best that the CPU supports"),
      run("precision", precisions(), &Options::precision,
          "Precision of large products; tf32 and float16 only on CUDA devices. Aliases: fp32, bf16, fp16, "
          "half"),
      run("device", DeviceNames{}, &Options::device,
          "Device that runs the network: the CPU, an NVIDIA GPU, or several of them that share the calls; "
          "gpu "
          "is an alias of cuda"),
      run("cpu_fallback", Truth{}, &Options::cpu_fallback,
          "If false, a node for which the device has no kernel is an error"),
      run("tuning_file", Text{"a path"}, &Options::tuning_file,
          "File of kernel choices that were measured on this machine"),
      run("max_winograd_bytes", Whole{"bytes"}, &Options::max_winograd_bytes,
          "Maximum memory for Winograd weights in one plan"),
      run("max_plans", Whole{}, &Options::max_plans,
          "Maximum number of plans to keep, one per set of input shapes"),
      run("max_plan_bytes", Whole{"bytes"}, &Options::max_plan_bytes,
          "Maximum memory of the kept plans and their idle workspaces"),
      run("max_idle_executors", Whole{}, &Options::max_idle_executors,
          "Maximum number of idle workspaces to keep per plan"),
      run("idle_limit", Time{}, &Options::idle_limit,
          "Time after which an idle workspace is released; 0: never"),
      run("max_device_memory_bytes", Whole{"bytes"}, &Options::max_device_memory_bytes,
          "Maximum memory of weights and of running calls on each GPU"),
      run("max_memory_bytes", Whole{"bytes"}, &Options::max_memory_bytes,
          "Maximum memory of all plans and workspaces, including those in use"),
  };
}

std::vector<Setting> queue_settings() {
  const FieldsOf<AsyncOptions> queue{SettingGroup::queue,
                                     [](Values& v) -> AsyncOptions& { return v.run.async; }};
  return {
      queue("max_in_flight", Whole{"a whole number from 1", 1}, &AsyncOptions::max_in_flight,
            "Maximum number of predictions that wait or run at the same time"),
      queue("when_full", when_full(), &AsyncOptions::when_full,
            "What submitting does while max_in_flight predictions wait or run"),
      queue("workers", Whole{}, &AsyncOptions::workers,
            "Number of threads that run submitted predictions; 0: one per core of the process"),
      queue("max_batch", Whole{"a whole number from 1", 1}, &AsyncOptions::max_batch,
            "Maximum number of predictions that run as one batch"),
      queue("max_delay", Time{"microseconds"}, &AsyncOptions::max_delay,
            "Maximum time that a prediction waits for others to form a batch"),
  };
}

std::vector<Setting> image_settings() {
  const FieldsOf<Preprocess> image{SettingGroup::image,
                                   [](Values& v) -> Preprocess& { return v.preprocess; }};
  const FieldsOf<Values> fields{SettingGroup::image, [](Values& v) -> Values& { return v; }};
  return {
      fields("preset", PresetName{}, &Values::preprocess,
             "Preprocessing preset, which the options below override"),
      image("resize", resize_policies(), &Preprocess::resize, "How to fit images to the network's size"),
      image("resize_short", Whole{"pixels"}, &Preprocess::resize_short,
            "With short_side_crop, length of the short side before the crop; 0: the network's height * 256 / "
            "224"),
      image("interpolation", interpolations(), &Preprocess::interpolation,
            "Interpolation method for resizing"),
      image("color", color_orders(), &Preprocess::color, "Channel order"),
      image("scale", Number{}, &Preprocess::scale, "Scale in value = (pixel * scale - mean) / std"),
      image("mean", Channels{}, &Preprocess::mean, "Mean of all channels, or of each in the order of color"),
      image("std", Channels{}, &Preprocess::std,
            "Standard deviation of all channels, or of each in the order of color"),
      image("pad_value", Number{"a number from 0 to 255"}, &Preprocess::pad_value,
            "With letterbox, pixel value around the image"),
      image("network_size", Whole{"pixels"}, &Preprocess::network_size,
            "Height and width for a network that leaves them open; the options height and width override it"),
      fields("apply_exif", Truth{}, &Values::apply_exif, "If true, applies the EXIF orientation of images"),
      fields("height", Whole{"pixels", 1}, &Values::height,
             "Height of the network's input, if the model leaves it open"),
      fields("width", Whole{"pixels", 1}, &Values::width,
             "Width of the network's input, if the model leaves it open"),
      fields("scaled_decoding", Truth{}, &Values::scaled_decoding,
             "If true, a classifier decodes JPEGs at 1/2, 1/4 or 1/8 of their sides where the resize leaves "
             "fewer pixels: faster, with slightly different scores"),
      fields("batch_size", Whole{}, &Values::batch_size,
             "Number of images of a list that a classifier runs as one batch, beside other batches of the "
             "list; 0: the whole list"),
  };
}

std::vector<Setting> result_settings() {
  const FieldsOf<Values> scores{SettingGroup::scores, [](Values& v) -> Values& { return v; }};
  const FieldsOf<Values> detector{SettingGroup::detector, scores.of};
  return {
      scores("activation", activations(), &Values::activation,
             "Activation that turns the network's outputs into scores"),
      scores("min_score", Number{}, &Values::min_score,
             "Minimum score; classes with a lower score are omitted"),
      detector("units", box_units(), &Values::units, "Units of the network's box coordinates"),
  };
}

std::vector<Setting> all_settings() {
  std::vector<Setting> all;
  for (const auto& group : {load_settings(), remote_settings(), s3_settings(), hdfs_settings(),
                            run_settings(), queue_settings(), image_settings(), result_settings()})
    all.insert(all.end(), group.begin(), group.end());
  return all;
}

}  // namespace

const std::vector<Setting>& setting_list() {
  static const auto& list = *new std::vector<Setting>(all_settings());  // no destructor at exit
  return list;
}

}  // namespace mxinfer::api
