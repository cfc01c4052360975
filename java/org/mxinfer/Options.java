package org.mxinfer;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Options of models, predictors, classifiers and detectors, each with a name and a value. One that is not set has its
 * default; {@link OptionInfo#all()} tells of all.
 *
 * <pre>{@code
 * Options options = new Options().threads(4).preset("imagenet").maxInFlight(16);
 * }</pre>
 *
 * <p>For one thread at a time. Who takes options reads them once, so that they may be changed and used again.
 */
public final class Options {
  private static final Set<String> SECRETS =
      Set.of("headers", "s3_secret_access_key", "s3_session_token", "hdfs_delegation_token");

  private final Map<String, String> values = new LinkedHashMap<>();

  /** Sets nothing: all options have their defaults. */
  public Options() {}

  /**
   * Sets an option by its name.
   *
   * @param name the name, such as "threads"
   * @param value the value as text, such as "4"
   * @return this
   * @throws InvalidArgumentException if there is no such option, or it does not take the value; nothing has changed then
   */
  public Options set(String name, String value) {
    Native.checkOption(Text.utf8(name, "name"), Text.utf8(value, "value"));
    values.put(name, value);
    return this;
  }

  /**
   * Gives what was set.
   *
   * @return a copy: names and values as text, in the order in which they were set
   */
  public Map<String, String> toMap() {
    return new LinkedHashMap<>(values);
  }

  /**
   * Option "epoch" (load): The number in the name of the .params file, if there are several.
   *
   * @param value a whole number
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options epoch(int value) {
    return set("epoch", Integer.toString(value));
  }

  /**
   * Option "graph" (load): Which network of a bundle.
   *
   * @param value a name
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options graph(String value) {
    return set("graph", value);
  }

  /**
   * Option "inputs" (load): What the inputs are, if the file does not say it.
   *
   * @param value one for each input, in order
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options inputs(List<DataDesc> value) {
    return set("inputs", DataDesc.toJson(Objects.requireNonNull(value, "value")));
  }

  /**
   * Option "input_names" (load): Variables that will be given values, even if they stand for a parameter of a
   * layer.
   *
   * @param value the names
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options inputNames(List<String> value) {
    return set("input_names", Text.jsonList(value, "value"));
  }

  /**
   * Option "outputs" (load): Inner values to give as outputs instead of the network's own.
   *
   * @param value the names
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options outputs(List<String> value) {
    return set("outputs", Text.jsonList(value, "value"));
  }

  /**
   * Option "labels" (load): Class names, instead of the model's.
   *
   * @param value the names
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options labels(List<String> value) {
    return set("labels", Text.jsonList(value, "value"));
  }

  /**
   * Option "load_transforms" (load): False leaves off the transforms in front of and behind the network.
   *
   * @param value true or false; the default is true
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options loadTransforms(boolean value) {
    return set("load_transforms", Boolean.toString(value));
  }

  /**
   * Option "verify" (load): Runs the sample stored in the file, and compares.
   *
   * @param value true or false; the default is false
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options verify(boolean value) {
    return set("verify", Boolean.toString(value));
  }

  /**
   * Option "random_transforms" (load): What becomes of operators that draw random numbers.
   *
   * @param value reject, identity or execute; the default is reject
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options randomTransforms(String value) {
    return set("random_transforms", value);
  }

  /**
   * Option "seed" (load): The seed of random_transforms = execute.
   *
   * @param value a whole number; the default is 0
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options seed(long value) {
    return set("seed", Long.toString(value));
  }

  /**
   * Option "read_weights_at_once" (load): False reads large weights when a plan first needs them.
   *
   * @param value true or false; the default is false
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options readWeightsAtOnce(boolean value) {
    return set("read_weights_at_once", Boolean.toString(value));
  }

  /**
   * Option "sha256" (load): Checksums of the model's files: each that is read must have one
   * of these.
   *
   * @param value the checksums in hexadecimal digits
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options sha256(List<String> value) {
    return set("sha256", Text.jsonList(value, "value"));
  }

  /**
   * Option "cache" (load): What becomes of the copies of what is fetched from addresses.
   *
   * @param value use, refresh, offline or none; the default is use
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options cache(String value) {
    return set("cache", value);
  }

  /**
   * Option "cache_folder" (load): Where the copies are; else MXINFER_CACHE_DIR or ~/.cache/mxinfer.
   *
   * @param value the folder
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options cacheFolder(Path value) {
    return set("cache_folder", Text.path(value, "value"));
  }

  /**
   * Option "cache_bytes" (load): What the copies may take together.
   *
   * @param value a number of bytes
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options cacheBytes(long value) {
    return set("cache_bytes", Long.toString(value));
  }

  /**
   * Option "connect_timeout" (load): How long a connection may take to be made.
   *
   * @param value a time
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options connectTimeout(Duration value) {
    return set("connect_timeout", Long.toString(roundedUp(value, 1_000_000)));
  }

  /**
   * Option "stall_timeout" (load): How long a transfer may bring nothing.
   *
   * @param value a time
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options stallTimeout(Duration value) {
    return set("stall_timeout", Long.toString(roundedUp(value, 1_000_000)));
  }

  /**
   * Option "retries" (load): How often what has failed and may succeed is tried again.
   *
   * @param value a number from 0
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options retries(int value) {
    return set("retries", Integer.toString(value));
  }

  /**
   * Option "connections" (load): Parts of a large file that are fetched at once.
   *
   * @param value a number from 1
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options connections(int value) {
    return set("connections", Integer.toString(value));
  }

  /**
   * Option "max_file_bytes" (load): A file at an address that is larger is an error.
   *
   * @param value a number of bytes
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options maxFileBytes(long value) {
    return set("max_file_bytes", Long.toString(value));
  }

  /**
   * Option "max_redirects" (load): How many redirects are followed.
   *
   * @param value a number from 0
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options maxRedirects(int value) {
    return set("max_redirects", Integer.toString(value));
  }

  /**
   * Option "allow_private_redirects" (load): Whether redirects from public addresses into private networks
   * are followed.
   *
   * @param value true: they are followed
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options allowPrivateRedirects(boolean value) {
    return set("allow_private_redirects", Boolean.toString(value));
  }

  /**
   * Option "headers" (load): Headers for http and https, such as "Authorization: Bearer TOKEN".
   *
   * @param value the headers
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options headers(List<String> value) {
    return set("headers", Text.jsonList(value, "value"));
  }

  /**
   * Option "s3_region" (load): Of s3://, the region; else that of the environment or ~/.aws.
   *
   * @param value a name
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options s3Region(String value) {
    return set("s3_region", value);
  }

  /**
   * Option "s3_endpoint" (load): Of s3://, a server that is not of AWS.
   *
   * @param value an address, such as "https://minio.example:9000"
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options s3Endpoint(String value) {
    return set("s3_endpoint", value);
  }

  /**
   * Option "s3_profile" (load): Of s3://, the profile in ~/.aws; else AWS_PROFILE.
   *
   * @param value a name
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options s3Profile(String value) {
    return set("s3_profile", value);
  }

  /**
   * Option "s3_path_style" (load): Of s3://, where the bucket stands; else in the path for an endpoint that is
   * given and for buckets whose names have dots.
   *
   * @param value true: ENDPOINT/BUCKET/KEY; false: BUCKET.ENDPOINT/KEY
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options s3PathStyle(boolean value) {
    return set("s3_path_style", Boolean.toString(value));
  }

  /**
   * Option "s3_anonymous" (load): Of s3://, whether requests are not signed, for buckets that anybody may read.
   *
   * @param value true: no credentials are looked for; the default is false
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options s3Anonymous(boolean value) {
    return set("s3_anonymous", Boolean.toString(value));
  }

  /**
   * Option "s3_access_key_id" (load): Of s3://, credentials in the place of those of the environment and of
   * ~/.aws.
   *
   * @param value a text
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options s3AccessKeyId(String value) {
    return set("s3_access_key_id", value);
  }

  /**
   * Option "s3_secret_access_key" (load): Likewise, with s3_access_key_id.
   *
   * @param value a text
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options s3SecretAccessKey(String value) {
    return set("s3_secret_access_key", value);
  }

  /**
   * Option "s3_session_token" (load): Likewise, of credentials that are for some time.
   *
   * @param value a text
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options s3SessionToken(String value) {
    return set("s3_session_token", value);
  }

  /**
   * Option "hdfs_user" (load): Of hdfs://, webhdfs:// and swebhdfs://, who asks; else HADOOP_USER_NAME or the user of
   * the process.
   *
   * @param value a name
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options hdfsUser(String value) {
    return set("hdfs_user", value);
  }

  /**
   * Option "hdfs_delegation_token" (load): Likewise, a token in the place of the user; else HADOOP_TOKEN.
   *
   * @param value a text
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options hdfsDelegationToken(String value) {
    return set("hdfs_delegation_token", value);
  }

  /**
   * Option "hdfs_name_nodes" (load): Likewise, the name nodes' HTTP addresses; else from the address or from
   * hdfs-site.xml.
   *
   * @param value HOST:PORT of each
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options hdfsNameNodes(List<String> value) {
    return set("hdfs_name_nodes", Text.jsonList(value, "value"));
  }

  /**
   * Option "hdfs_kerberos" (load): Likewise, whether the Kerberos ticket of the process's user is used.
   *
   * @param value true: it is used; the default is false
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options hdfsKerberos(boolean value) {
    return set("hdfs_kerberos", Boolean.toString(value));
  }

  /**
   * Option "threads" (run): Threads that one call may use; 0: all cores of the process.
   *
   * @param value a whole number; the default is 0
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options threads(int value) {
    return set("threads", Integer.toString(value));
  }

  /**
   * Option "scheduling" (run): How a call uses the threads.
   *
   * @param value automatic, latency or throughput; the default is automatic
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options scheduling(String value) {
    return set("scheduling", value);
  }

  /**
   * Option "target" (run): The instruction set; automatic is the best that the CPU has.
   *
   * @param value automatic, ref, baseline, avx2 or avx512; the default is automatic
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options target(String value) {
    return set("target", value);
  }

  /**
   * Option "precision" (run): What large products are computed in; tf32 and float16 on CUDA devices.
   *
   * @param value float32, bfloat16, tf32 or float16; the default is float32
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options precision(String value) {
    return set("precision", value);
  }

  /**
   * Option "device" (run): Where the network runs: the CPU, or an NVIDIA GPU.
   *
   * @param value cpu, cuda or cuda:N; the default is cpu
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options device(String value) {
    return set("device", value);
  }

  /**
   * Option "cpu_fallback" (run): false makes it an error if the device has no kernel for a node.
   *
   * @param value true or false; the default is true
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options cpuFallback(boolean value) {
    return set("cpu_fallback", Boolean.toString(value));
  }

  /**
   * Option "tuning_file" (run): Choices of kernels that were measured on this machine.
   *
   * @param value the file
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options tuningFile(Path value) {
    return set("tuning_file", Text.path(value, "value"));
  }

  /**
   * Option "max_winograd_bytes" (run): Memory for the weights of Winograd's algorithm in one plan.
   *
   * @param value a number of bytes
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options maxWinogradBytes(long value) {
    return set("max_winograd_bytes", Long.toUnsignedString(value));
  }

  /**
   * Option "max_plans" (run): Plans kept, one for each set of input shapes.
   *
   * @param value a whole number; the default is 32
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options maxPlans(int value) {
    return set("max_plans", Integer.toString(value));
  }

  /**
   * Option "max_plan_bytes" (run): Memory of the plans kept and of their workspaces that wait for a call.
   *
   * @param value a number of bytes; the default is 1073741824
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options maxPlanBytes(long value) {
    return set("max_plan_bytes", Long.toUnsignedString(value));
  }

  /**
   * Option "max_idle_executors" (run): Workspaces kept for later calls, of each plan.
   *
   * @param value a whole number; the default is 16
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options maxIdleExecutors(int value) {
    return set("max_idle_executors", Integer.toString(value));
  }

  /**
   * Option "idle_limit" (run): How long a workspace may wait for a call before it is released; 0: any time.
   *
   * @param value a time; 0 and more; the default is 0
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options idleLimit(Duration value) {
    return set("idle_limit", Long.toString(roundedUp(value, 1_000_000)));
  }

  /**
   * Option "max_memory_bytes" (run): Memory of all plans and workspaces, those of calls that run too.
   *
   * @param value a number of bytes
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options maxMemoryBytes(long value) {
    return set("max_memory_bytes", Long.toUnsignedString(value));
  }

  /**
   * Option "max_in_flight" (queue): Predictions that wait or run at the same time.
   *
   * @param value a whole number from 1; the default is 64
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options maxInFlight(int value) {
    return set("max_in_flight", Integer.toString(value));
  }

  /**
   * Option "when_full" (queue): What submitting does while max_in_flight predictions are waiting or running.
   *
   * @param value reject, block or drop_oldest; the default is reject
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options whenFull(String value) {
    return set("when_full", value);
  }

  /**
   * Option "workers" (queue): Threads that take what was submitted; 0: as many as the process has cores.
   *
   * @param value a whole number; the default is 0
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options workers(int value) {
    return set("workers", Integer.toString(value));
  }

  /**
   * Option "max_batch" (queue): Predictions that may run as one batch.
   *
   * @param value a whole number from 1; the default is 1
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options maxBatch(int value) {
    return set("max_batch", Integer.toString(value));
  }

  /**
   * Option "max_delay" (queue): How long a prediction may wait for others to make up a batch.
   *
   * @param value a time; 0 and more; the default is 0
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options maxDelay(Duration value) {
    return set("max_delay", Long.toString(roundedUp(value, 1000)));
  }

  /**
   * Option "preset" (image): How images are preprocessed, which the settings below go over.
   *
   * @param value raw, imagenet, imagenet_symbol, unit, minus_one_to_one or insightface; the default is raw
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options preset(String value) {
    return set("preset", value);
  }

  /**
   * Option "resize" (image): How an image becomes the network's size.
   *
   * @param value stretch, short_side_crop or letterbox; the default is stretch
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options resize(String value) {
    return set("resize", value);
  }

  /**
   * Option "resize_short" (image): Short_side_crop: the short side before the crop; 0: the network's height * 256
   * / 224.
   *
   * @param value a number of pixels; the default is 0
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options resizeShort(int value) {
    return set("resize_short", Integer.toString(value));
  }

  /**
   * Option "interpolation" (image): How pixels are resized.
   *
   * @param value nearest, linear, cubic, area or lanczos4; the default is linear
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options interpolation(String value) {
    return set("interpolation", value);
  }

  /**
   * Option "color" (image): The order of the channels.
   *
   * @param value rgb or bgr; the default is rgb
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options color(String value) {
    return set("color", value);
  }

  /**
   * Option "scale" (image): Value = (pixel * scale - mean) / std.
   *
   * @param value a number; the default is 1
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options scale(double value) {
    return set("scale", Double.toString(value));
  }

  /**
   * Option "mean" (image): For each channel, in the order of color.
   *
   * @param value one number, or three with commas between; the default is 0
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options mean(double... value) {
    return set("mean", numbers(value));
  }

  /**
   * Option "std" (image): Likewise.
   *
   * @param value one number, or three with commas between; the default is 1
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options std(double... value) {
    return set("std", numbers(value));
  }

  /**
   * Option "pad_value" (image): Letterbox: the pixel value around the image.
   *
   * @param value a number from 0 to 255; the default is 0
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options padValue(double value) {
    return set("pad_value", Double.toString(value));
  }

  /**
   * Option "network_size" (image): Height and width to give a network that leaves them free; height and width go
   * over it.
   *
   * @param value a number of pixels; the default is 0
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options networkSize(int value) {
    return set("network_size", Integer.toString(value));
  }

  /**
   * Option "apply_exif" (image): Turns images as their EXIF orientation says.
   *
   * @param value true or false; the default is true
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options applyExif(boolean value) {
    return set("apply_exif", Boolean.toString(value));
  }

  /**
   * Option "height" (image): The network's height, if the model leaves it open.
   *
   * @param value a number of pixels
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options height(int value) {
    return set("height", Integer.toString(value));
  }

  /**
   * Option "width" (image): The network's width, if the model leaves it open.
   *
   * @param value a number of pixels
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options width(int value) {
    return set("width", Integer.toString(value));
  }

  /**
   * Option "activation" (scores): Turns the network's numbers into scores.
   *
   * @param value none, softmax or sigmoid; the default is none
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options activation(String value) {
    return set("activation", value);
  }

  /**
   * Option "min_score" (scores): Classes that score less are left out.
   *
   * @param value a number
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options minScore(double value) {
    return set("min_score", Double.toString(value));
  }

  /**
   * Option "units" (detector): What the coordinates of a network's boxes are in.
   *
   * @param value automatic, relative or pixels; the default is automatic
   * @return this
   * @throws InvalidArgumentException if the option does not take the value
   */
  public Options units(String value) {
    return set("units", value);
  }

  Options copy() {
    Options copy = new Options();
    copy.values.putAll(values);
    return copy;
  }

  /** For the native code: names and values in turn. */
  byte[][] toNative() {
    byte[][] list = new byte[values.size() * 2][];
    int i = 0;
    for (Map.Entry<String, String> entry : values.entrySet()) {
      list[i++] = Text.utf8(entry.getKey(), "name");
      list[i++] = Text.utf8(entry.getValue(), "value");
    }
    return list;
  }

  private static long roundedUp(Duration value, long unit) {
    long nanos;
    try {
      nanos = Objects.requireNonNull(value, "value").toNanos();
    } catch (ArithmeticException e) {
      nanos = value.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
    return nanos / unit + (nanos % unit > 0 ? 1 : 0);
  }

  private static String numbers(double[] values) {
    StringBuilder text = new StringBuilder();
    for (double value : Objects.requireNonNull(values, "value")) {
      text.append(text.length() == 0 ? "" : ",").append(value);
    }
    return text.toString();
  }

  /**
   * What was set, as text, but for headers, keys and tokens.
   *
   * @return such as "{threads=4, preset=imagenet}"
   */
  @Override
  public String toString() {
    Map<String, String> shown = new LinkedHashMap<>(values);
    shown.replaceAll((name, value) -> SECRETS.contains(name) ? "***" : value);
    return shown.toString();
  }
}
