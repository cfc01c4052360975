package org.mxinfer;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * A network and its weights. It is read once and never changes, and any number of predictors and threads share it.
 *
 * <pre>{@code
 * try (Model model = Model.load("models/digits"); Predictor predictor = new Predictor(model)) { ... }
 * }</pre>
 *
 * <p>Predictors that you made from it continue to work when you close it. Any thread may call all functions. After
 * {@link #close()} they throw {@link IllegalStateException}.
 */
public final class Model implements AutoCloseable {
  private final NativeHandle handle;

  Model(long address) {
    handle = new NativeHandle(this, "Model", address, Native::freeModel);
  }

  /**
   * Loads a model with default options. See {@link #load(String, Options)}.
   *
   * @param uri a prefix, a symbol file, a folder or one file with the model
   * @return the model
   * @throws MxinferException as {@link #load(String, Options)}
   */
  public static Model load(String uri) {
    return load(uri, new Options());
  }

  /**
   * Loads a model. Pass a prefix ("resnet18_v1" for resnet18_v1-symbol.json and resnet18_v1-0000.params), a symbol
   * file, a folder that holds one model, or one file that holds the model. Such a file is a bundle (.mxz), a model
   * server's archive (.mar, .model), SageMaker's model.tar.gz, or any zip, tar or tar.gz file with one pair in it.
   *
   * @param uri where it is
   * @param options those of the group "load"
   * @return the model
   * @throws MxinferException NOT_FOUND, MALFORMED, UNSUPPORTED (the message names every missing operator),
   *     INVALID_ARGUMENT (options that do not fit the network)
   */
  public static Model load(String uri, Options options) {
    return new Model(Native.loadModel(Text.utf8(uri, "uri"), Objects.requireNonNull(options, "options").toNative()));
  }

  /**
   * Loads a symbol file and a parameter file.
   *
   * @param symbol the symbol file
   * @param params the parameter file; may be null for a network without parameters
   * @param options those of the group "load"
   * @return the model
   * @throws MxinferException as {@link #load(String, Options)}
   */
  public static Model loadFiles(Path symbol, Path params, Options options) {
    return new Model(Native.loadModelFiles(Text.utf8(symbol, "symbol"),
        params == null ? null : Text.utf8(params, "params"),
        Objects.requireNonNull(options, "options").toNative()));
  }

  /**
   * Loads a symbol file and a parameter file from addresses. If the two have a common prefix, pass its address to
   * {@link #load(String, Options)}.
   *
   * @param symbol the absolute address of the symbol file: http, https, s3, hdfs or file
   * @param params the address of the parameter file; may be null for a network without parameters
   * @param options those of the group "load", including those for addresses
   * @return the model
   * @throws MxinferException as {@link #load(String, Options)}; INVALID_ARGUMENT also for an address that is not
   *     absolute
   */
  public static Model loadFiles(URI symbol, URI params, Options options) {
    return new Model(Native.loadModelFiles(Text.utf8(symbol, "symbol"),
        params == null ? null : Text.utf8(params, "params"),
        Objects.requireNonNull(options, "options").toNative()));
  }

  /**
   * Loads the contents of a symbol file and a parameter file, which are not needed afterwards.
   *
   * @param symbol the contents of the symbol file
   * @param params the contents of the parameter file; may be null for a network without parameters
   * @param options those of the group "load"
   * @return the model
   * @throws MxinferException as {@link #load(String, Options)}
   */
  public static Model loadMemory(byte[] symbol, byte[] params, Options options) {
    return new Model(Native.loadModelMemory(Objects.requireNonNull(symbol, "symbol"), params,
        Objects.requireNonNull(options, "options").toNative()));
  }

  /**
   * Loads the contents of a file that holds a whole model.
   *
   * @param archive the contents, which are not needed afterwards
   * @param options those of the group "load"
   * @return the model
   * @throws MxinferException as {@link #load(String, Options)}
   */
  public static Model loadArchive(byte[] archive, Options options) {
    return new Model(Native.loadModelArchive(Objects.requireNonNull(archive, "archive"),
        Objects.requireNonNull(options, "options").toNative()));
  }

  /**
   * Returns where the model came from.
   *
   * @return the prefix or file
   */
  public String name() {
    return with(address -> Text.of(Native.modelName(address)));
  }

  /**
   * Returns the model's inputs.
   *
   * @return one for each input, in order
   */
  public List<DataDesc> inputs() {
    return with(address -> DataDesc.listOf(Native.modelDescs(address, true)));
  }

  /**
   * Returns the model's outputs.
   *
   * @return one for each output, in order; a shape without dimensions also for one whose size depends on values
   */
  public List<DataDesc> outputs() {
    return with(address -> DataDesc.listOf(Native.modelDescs(address, false)));
  }

  /**
   * Returns the class names.
   *
   * @return one for each class; empty if the model has none
   */
  public List<String> labels() {
    return with(address -> Text.listOf(Native.modelLabels(address)));
  }

  /**
   * Returns warnings about the files: what is unusual but harmless.
   *
   * @return sentences
   */
  public List<String> warnings() {
    return with(address -> Text.listOf(Native.modelWarnings(address)));
  }

  /**
   * Returns the memory of its weights.
   *
   * @return bytes
   */
  public MemoryUse memory() {
    return with(address -> new MemoryUse(Native.modelMemory(address)));
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
