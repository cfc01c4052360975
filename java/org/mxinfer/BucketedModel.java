package org.mxinfer;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The networks that MXNet's BucketingModule saves, one for each length, and their one set of weights.
 *
 * <pre>{@code
 * try (BucketedModel model = BucketedModel.load("lstm", new Options());  // lstm-10-symbol.json, lstm-20-symbol.json, ...
 *     SequencePredictor predictor = new SequencePredictor(model, SequenceOptions.DEFAULT, new Options())) {
 *   List<Tensor> outputs = predictor.predictSequence(ids);  // 12 ids run in the network of 20
 * }
 * }</pre>
 *
 * <p>The key of a bucket is the length of its sequences. Predictors that were made from the model continue to work when
 * it is closed. After {@link #close()} its functions throw {@link IllegalStateException}.
 */
public final class BucketedModel implements AutoCloseable {
  private final NativeHandle handle;

  private BucketedModel(long address) {
    handle = new NativeHandle(this, "BucketedModel", address, NativeSequence::freeBuckets);
  }

  /**
   * Reads the files of a prefix, or of a folder that holds one bucketed model. If there is no "PREFIX.buckets", the
   * buckets are those with a symbol file.
   *
   * @param uri a prefix, such as "models/lstm", or a folder
   * @param options those of the group "load", for each network
   * @return the model
   * @throws MxinferException as {@link Model#load(String, Options)}; NOT_FOUND also if a key has no file,
   *     INVALID_ARGUMENT if there are several models or epochs
   */
  public static BucketedModel load(String uri, Options options) {
    byte[] place = Text.utf8(uri, "uri");
    return new BucketedModel(NativeSequence.loadBuckets(place, Objects.requireNonNull(options, "options").toNative()));
  }

  /**
   * Makes a bucketed model from loaded networks. They share weights only if they come from one model.
   *
   * @param buckets the networks by the lengths of their sequences; you may close them afterwards
   * @return the model
   * @throws InvalidArgumentException no network, a length below 1, networks with different inputs or different numbers
   *     of outputs
   */
  public static BucketedModel of(Map<Long, Model> buckets) {
    TreeMap<Long, Model> sorted = new TreeMap<>(Objects.requireNonNull(buckets, "buckets"));
    long[] keys = sorted.keySet().stream().mapToLong(Long::longValue).toArray();
    Model[] models = sorted.values().toArray(new Model[0]);
    for (Model model : models) {
      Objects.requireNonNull(model, "a model in buckets");
    }
    return withAll(models, new long[models.length], 0, keys);
  }

  private static BucketedModel withAll(Model[] models, long[] addresses, int next, long[] keys) {
    if (next == models.length) {
      return new BucketedModel(NativeSequence.bucketsOf(keys, addresses));
    }
    return models[next].with(address -> {
      addresses[next] = address;
      return withAll(models, addresses, next + 1, keys);
    });
  }

  /**
   * Returns the lengths.
   *
   * @return in ascending order; never empty
   */
  public long[] keys() {
    return handle.with(NativeSequence::bucketKeys);
  }

  /**
   * Returns the network of a length.
   *
   * @param key one of {@link #keys}
   * @return a new handle of the model; close it
   * @throws InvalidArgumentException for any other key
   */
  public Model model(long key) {
    return handle.with(address -> new Model(NativeSequence.bucketModel(address, key)));
  }

  /**
   * Returns the network of the largest length.
   *
   * @return a new handle of the model; close it
   */
  public Model largest() {
    long[] keys = keys();
    return model(keys[keys.length - 1]);
  }

  /**
   * Returns where the model came from.
   *
   * @return the prefix; the name of the largest network if it was made from models
   */
  public String name() {
    return handle.with(address -> Text.of(NativeSequence.bucketsName(address)));
  }

  /**
   * Returns the memory of the weights of all networks. Shared weights are counted once.
   *
   * @return bytes
   */
  public MemoryUse memory() {
    return handle.with(address -> new MemoryUse(NativeSequence.bucketsMemory(address)));
  }

  /** Frees it when the last call that uses it and the last predictor of it have ended. You may call it again. */
  @Override
  public void close() {
    handle.close();
  }

  <T> T with(java.util.function.LongFunction<T> function) {
    return handle.with(function);
  }
}
