package org.mxinfer;

import java.awt.image.BufferedImage;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * Classifies images. An end-to-end model preprocesses images itself. For a bare network, set the options of the group
 * "image".
 *
 * <pre>{@code
 * try (ImageClassifier classifier = new ImageClassifier("resnet18_v1", new Options().preset("imagenet"))) {
 *   List<Classification> best = classifier.classify(Path.of("kitten.jpg"), 5);
 * }
 * }</pre>
 *
 * <p>Pixels are converted to the channels of the network like those of a PNG: grey to colour, or colour to grey. Alpha
 * is dropped, and the upper 8 of 16 bits are kept. docs/how-to/images.md has the table.
 *
 * <p>A list runs as one batch. Its images may have any sizes, and an invalid one does not affect the others. The
 * functions that return a future submit each image of a list separately.
 */
public class ImageClassifier extends Classifier {
  /**
   * Loads a model with default options.
   *
   * @param uri its path or address; see {@link Model#load(String, Options)}
   * @throws MxinferException as {@link #ImageClassifier(String, Options)}
   */
  public ImageClassifier(String uri) {
    this(uri, new Options());
  }

  /**
   * Loads a model.
   *
   * @param uri its path or address; see {@link Model#load(String, Options)}
   * @param options those of the groups "load", "run", "queue", "scores" and "image"
   * @throws MxinferException as {@link Classifier#Classifier(String, Options)}; INVALID_ARGUMENT also if a bare network
   *     leaves height and width free and the options do not give them, and if the options would preprocess images that
   *     the model preprocesses itself
   */
  public ImageClassifier(String uri, Options options) {
    super(Native.IMAGE_CLASSIFIER, uri, options);
  }

  /**
   * Loads a model whose files do not say what its inputs are.
   *
   * @param uri its path or address; see {@link Model#load(String, Options)}
   * @param inputs one for each input, in order; -1 for sizes that are free
   * @throws MxinferException as {@link #ImageClassifier(String, Options)}
   */
  public ImageClassifier(String uri, List<DataDesc> inputs) {
    this(uri, withInputs(inputs, new Options()));
  }

  /**
   * Makes an object of this class from a loaded model.
   *
   * @param model the model, which may be closed afterwards
   * @param options those of the groups "run", "queue", "scores" and "image"
   * @throws MxinferException as {@link #ImageClassifier(String, Options)}
   */
  public ImageClassifier(Model model, Options options) {
    super(Native.IMAGE_CLASSIFIER, model, options);
  }

  /**
   * Classifies an image, and returns all classes.
   *
   * @param image the pixels, of any type; converted as those of a PNG
   * @return all classes, in label order
   * @throws MxinferException as {@link #classify(BufferedImage, int)}
   */
  public List<Classification> classify(BufferedImage image) {
    return classify(image, 0);
  }

  /**
   * Classifies an image.
   *
   * @param image the pixels, of any type; converted as those of a PNG
   * @param topK the number of classes, in descending order of score; 0: all classes in label order
   * @return the classes
   * @throws MxinferException INVALID_ARGUMENT: topK below 0
   */
  public List<Classification> classify(BufferedImage image, int topK) {
    return classify(ImageArg.of(image), topK);
  }

  /**
   * Classifies an image, and returns all classes.
   *
   * @param path a JPEG or PNG file
   * @return all classes, in label order
   * @throws MxinferException NOT_FOUND, MALFORMED
   */
  public List<Classification> classify(Path path) {
    return classify(path, 0);
  }

  /**
   * Classifies an image.
   *
   * @param path a local JPEG or PNG file; pass an address as a URI
   * @param topK the number of classes, in descending order of score; 0: all classes in label order
   * @return the classes
   * @throws MxinferException NOT_FOUND, MALFORMED, INVALID_ARGUMENT: topK below 0
   */
  public List<Classification> classify(Path path, int topK) {
    return classify(ImageArg.of(path), topK);
  }

  /**
   * Fetches and classifies an image, and returns all classes.
   *
   * @param uri an absolute address of a JPEG or PNG file: http, https, s3, hdfs or file
   * @return all classes, in label order
   * @throws MxinferException as {@link #classify(URI, int)}
   */
  public List<Classification> classify(URI uri) {
    return classify(uri, 0);
  }

  /**
   * Fetches an image with the options that the model was loaded with, and classifies it.
   *
   * @param uri an absolute address of a JPEG or PNG file: http, https, s3, hdfs or file
   * @param topK the number of classes, in descending order of score; 0: all classes in label order
   * @return the classes
   * @throws MxinferException NOT_FOUND, MALFORMED, an error of the network; INVALID_ARGUMENT: an address that is not
   *     absolute, topK below 0
   */
  public List<Classification> classify(URI uri, int topK) {
    return classify(ImageArg.of(uri), topK);
  }

  /**
   * Classifies an image, and returns all classes.
   *
   * @param encoded the contents of a JPEG or PNG file; no file is opened for them
   * @return all classes, in label order
   * @throws MxinferException MALFORMED
   */
  public List<Classification> classify(byte[] encoded) {
    return classify(encoded, 0);
  }

  /**
   * Classifies an image.
   *
   * @param encoded the contents of a JPEG or PNG file; no file is opened for them
   * @param topK the number of classes, in descending order of score; 0: all classes in label order
   * @return the classes
   * @throws MxinferException MALFORMED, INVALID_ARGUMENT: topK below 0
   */
  public List<Classification> classify(byte[] encoded, int topK) {
    return classify(ImageArg.of(encoded), topK);
  }

  private List<Classification> classify(ImageArg image, int topK) {
    int[] numbers =
        call(address -> Native.classifyImages(address, image.source, image.items(), image.size, topK, null));
    return Unpack.classes(numbers, labels());
  }

  /**
   * Classifies a list of images.
   *
   * @param images of any types and sizes
   * @param topK the number of classes, in descending order of score; 0: all classes in label order
   * @return the classes of each, or its error
   * @throws MxinferException if the call itself is invalid
   */
  public List<ItemResult<List<Classification>>> classifyImages(List<BufferedImage> images, int topK) {
    return classify(ImageArg.Batch.of(Native.PIXELS, images, "images", ImageArg::of), topK);
  }

  /**
   * Classifies a list of images.
   *
   * @param paths JPEG or PNG files
   * @param topK the number of classes, in descending order of score; 0: all classes in label order
   * @return the classes of each, or its error
   * @throws MxinferException if the call itself is invalid
   */
  public List<ItemResult<List<Classification>>> classifyFiles(List<Path> paths, int topK) {
    return classify(ImageArg.Batch.ofFiles(paths), topK);
  }

  /**
   * Fetches images, several at a time, and classifies them.
   *
   * @param uris absolute addresses of JPEG or PNG files: http, https, s3, hdfs or file
   * @param topK the number of classes, in descending order of score; 0: all classes in label order
   * @return the classes of each, or its error
   * @throws MxinferException if the call itself is invalid
   */
  public List<ItemResult<List<Classification>>> classifyUris(List<URI> uris, int topK) {
    return classify(ImageArg.Batch.of(Native.FILE, uris, "uris", ImageArg::of), topK);
  }

  /**
   * Classifies a list of images.
   *
   * @param encoded the contents of JPEG or PNG files
   * @param topK the number of classes, in descending order of score; 0: all classes in label order
   * @return the classes of each, or its error
   * @throws MxinferException if the call itself is invalid
   */
  public List<ItemResult<List<Classification>>> classifyEncoded(List<byte[]> encoded, int topK) {
    return classify(ImageArg.Batch.of(Native.ENCODED, encoded, "encoded", ImageArg::of), topK);
  }

  private List<ItemResult<List<Classification>>> classify(ImageArg.Batch batch, int topK) {
    if (batch.items.length == 0) {
      return List.of();
    }
    int[] numbers = call(address -> Native.classifyImages(address, batch.source, batch.items, batch.sizes, topK,
        batch.messages));
    return Unpack.classesOfList(numbers, labels(), batch);
  }

  /**
   * Submits a call of {@link #classify(BufferedImage, int)}, with default {@link SubmitOptions}.
   *
   * @param image the pixels, of any type; converted as those of a PNG; copied
   * @param topK the number of classes, in descending order of score; 0: all classes in label order
   * @return the classes, or a {@link MxinferException}
   */
  public CompletableFuture<List<Classification>> classifyAsync(BufferedImage image, int topK) {
    return classifyAsync(image, topK, SubmitOptions.DEFAULT);
  }

  /**
   * Submits a call of {@link #classify(BufferedImage, int)}.
   *
   * @param image the pixels, of any type; converted as those of a PNG; copied
   * @param topK the number of classes, in descending order of score; 0: all classes in label order
   * @param options priority, timeout, executor
   * @return the classes, or a {@link MxinferException}
   */
  public CompletableFuture<List<Classification>> classifyAsync(BufferedImage image, int topK, SubmitOptions options) {
    return submitImage(ImageArg.of(image), topK, options);
  }

  /**
   * Submits a call of {@link #classify(Path, int)}, with default {@link SubmitOptions}.
   *
   * @param path a JPEG or PNG file
   * @param topK the number of classes, in descending order of score; 0: all classes in label order
   * @return the classes, or a {@link MxinferException}
   */
  public CompletableFuture<List<Classification>> classifyAsync(Path path, int topK) {
    return classifyAsync(path, topK, SubmitOptions.DEFAULT);
  }

  /**
   * Submits a call of {@link #classify(Path, int)}.
   *
   * @param path a JPEG or PNG file
   * @param topK the number of classes, in descending order of score; 0: all classes in label order
   * @param options priority, timeout, executor
   * @return the classes, or a {@link MxinferException}
   */
  public CompletableFuture<List<Classification>> classifyAsync(Path path, int topK, SubmitOptions options) {
    return submitImage(ImageArg.of(path), topK, options);
  }

  /**
   * Submits a call of {@link #classify(URI, int)}, with default {@link SubmitOptions}.
   *
   * @param uri an absolute address of a JPEG or PNG file: http, https, s3, hdfs or file
   * @param topK the number of classes, in descending order of score; 0: all classes in label order
   * @return the classes, or a {@link MxinferException}
   */
  public CompletableFuture<List<Classification>> classifyAsync(URI uri, int topK) {
    return classifyAsync(uri, topK, SubmitOptions.DEFAULT);
  }

  /**
   * Submits a call of {@link #classify(URI, int)}.
   *
   * @param uri an absolute address of a JPEG or PNG file: http, https, s3, hdfs or file
   * @param topK the number of classes, in descending order of score; 0: all classes in label order
   * @param options priority, timeout, executor
   * @return the classes, or a {@link MxinferException}
   */
  public CompletableFuture<List<Classification>> classifyAsync(URI uri, int topK, SubmitOptions options) {
    return submitImage(ImageArg.of(uri), topK, options);
  }

  /**
   * Submits a call of {@link #classify(byte[], int)}, with default {@link SubmitOptions}.
   *
   * @param encoded the contents of a JPEG or PNG file; no file is opened for them; copied
   * @param topK the number of classes, in descending order of score; 0: all classes in label order
   * @return the classes, or a {@link MxinferException}
   */
  public CompletableFuture<List<Classification>> classifyAsync(byte[] encoded, int topK) {
    return classifyAsync(encoded, topK, SubmitOptions.DEFAULT);
  }

  /**
   * Submits a call of {@link #classify(byte[], int)}.
   *
   * @param encoded the contents of a JPEG or PNG file; no file is opened for them; copied
   * @param topK the number of classes, in descending order of score; 0: all classes in label order
   * @param options priority, timeout, executor
   * @return the classes, or a {@link MxinferException}
   */
  public CompletableFuture<List<Classification>> classifyAsync(byte[] encoded, int topK, SubmitOptions options) {
    return submitImage(ImageArg.of(encoded), topK, options);
  }

  private CompletableFuture<List<Classification>> submitImage(ImageArg image, int topK, SubmitOptions options) {
    Objects.requireNonNull(options, "options");
    return call(address -> submit(options, false, null, () -> Native.submitClassifyImage(address, image.source,
        image.bytes, image.size, topK, options.priority(), options.timeout()), this::takeClasses));
  }

  /**
   * Submits each image of a list for {@link #classifyImages(List, int)}. The options "max_in_flight" and "when_full"
   * count each of them.
   *
   * @param images of any types and sizes
   * @param topK the number of classes, in descending order of score; 0: all classes in label order
   * @param options priority, timeout, executor
   * @return the classes of each, or its error
   */
  public CompletableFuture<List<ItemResult<List<Classification>>>> classifyImagesAsync(List<BufferedImage> images, int topK,
      SubmitOptions options) {
    Objects.requireNonNull(options, "options");
    return Completions.submitEach(images, "images", image -> classifyAsync(image, topK, options));
  }

  /**
   * Submits each image of a list for {@link #classifyFiles(List, int)}. The options "max_in_flight" and "when_full"
   * count each of them.
   *
   * @param paths JPEG or PNG files
   * @param topK the number of classes, in descending order of score; 0: all classes in label order
   * @param options priority, timeout, executor
   * @return the classes of each, or its error
   */
  public CompletableFuture<List<ItemResult<List<Classification>>>> classifyFilesAsync(List<Path> paths, int topK,
      SubmitOptions options) {
    Objects.requireNonNull(options, "options");
    return Completions.submitEach(paths, "paths", image -> classifyAsync(image, topK, options));
  }

  /**
   * Submits each image of a list for {@link #classifyUris(List, int)}. The options "max_in_flight" and "when_full"
   * count each of them.
   *
   * @param uris absolute addresses of JPEG or PNG files: http, https, s3, hdfs or file
   * @param topK the number of classes, in descending order of score; 0: all classes in label order
   * @param options priority, timeout, executor
   * @return the classes of each, or its error
   */
  public CompletableFuture<List<ItemResult<List<Classification>>>> classifyUrisAsync(List<URI> uris, int topK,
      SubmitOptions options) {
    Objects.requireNonNull(options, "options");
    return Completions.submitEach(uris, "uris", image -> classifyAsync(image, topK, options));
  }

  /**
   * Submits each image of a list for {@link #classifyEncoded(List, int)}. The options "max_in_flight" and "when_full"
   * count each of them.
   *
   * @param encoded the contents of JPEG or PNG files
   * @param topK the number of classes, in descending order of score; 0: all classes in label order
   * @param options priority, timeout, executor
   * @return the classes of each, or its error
   */
  public CompletableFuture<List<ItemResult<List<Classification>>>> classifyEncodedAsync(List<byte[]> encoded, int topK,
      SubmitOptions options) {
    Objects.requireNonNull(options, "options");
    return Completions.submitEach(encoded, "encoded", image -> classifyAsync(image, topK, options));
  }
}
