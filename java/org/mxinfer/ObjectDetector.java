package org.mxinfer;

import java.awt.image.BufferedImage;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * Finds objects in images: their classes, scores and boxes, in pixels of your image. An end-to-end model preprocesses
 * images itself; for a bare network, the options of the group "image" say how.
 *
 * <pre>{@code
 * for (Detection object : detector.detect(Path.of("street.jpg"), 0.5f, 10)) System.out.println(object);
 * }</pre>
 *
 * <p>Pixels are converted to the channels of the network like those of a PNG: grey to colour, or colour to grey. Alpha
 * is dropped, and the upper 8 of 16 bits are kept. docs/how-to/images.md has the table.
 *
 * <p>A list runs as one batch. Its images may have any sizes, and an invalid one does not affect the others. The
 * functions that return a future submit each image of a list separately.
 */
public class ObjectDetector extends Predictor {
  /** The threshold of functions that take none: they leave out objects that score less. */
  public static final float DEFAULT_THRESHOLD = 0.5f;

  private final String[] labels;

  /**
   * Loads a model with default options.
   *
   * @param uri its path or address; see {@link Model#load(String, Options)}
   * @throws MxinferException as {@link #ObjectDetector(String, Options)}
   */
  public ObjectDetector(String uri) {
    this(uri, new Options());
  }

  /**
   * Loads a model.
   *
   * @param uri its path or address; see {@link Model#load(String, Options)}
   * @param options those of the groups "load", "run", "queue", "image" and "detector"
   * @throws MxinferException as {@link ImageClassifier#ImageClassifier(String, Options)}
   */
  public ObjectDetector(String uri, Options options) {
    super(Native.OBJECT_DETECTOR, uri, options);
    labels = labelsOfModel();
  }

  /**
   * Loads a model whose files do not say what its inputs are.
   *
   * @param uri its path or address; see {@link Model#load(String, Options)}
   * @param inputs one for each input, in order; -1 for sizes that are free
   * @throws MxinferException as {@link #ObjectDetector(String, Options)}
   */
  public ObjectDetector(String uri, List<DataDesc> inputs) {
    this(uri, withInputs(inputs, new Options()));
  }

  /**
   * Makes an object of this class from a loaded model.
   *
   * @param model the model, which may be closed afterwards
   * @param options those of the groups "run", "queue", "image" and "detector"
   * @throws MxinferException as {@link #ObjectDetector(String, Options)}
   */
  public ObjectDetector(Model model, Options options) {
    super(Native.OBJECT_DETECTOR, model, options);
    labels = labelsOfModel();
  }

  /**
   * Finds the objects that score {@link #DEFAULT_THRESHOLD} or more.
   *
   * @param image the pixels, of any type; converted as those of a PNG
   * @return the objects, in descending order of score
   * @throws MxinferException as {@link #detect(BufferedImage, float, int)}
   */
  public List<Detection> detect(BufferedImage image) {
    return detect(image, DEFAULT_THRESHOLD, 0);
  }

  /**
   * Finds objects.
   *
   * @param image the pixels, of any type; converted as those of a PNG
   * @param threshold objects that score less are left out
   * @param most the most objects of each image, best first; 0: all
   * @return the objects, in descending order of score
   * @throws MxinferException INVALID_ARGUMENT: an invalid threshold or number
   */
  public List<Detection> detect(BufferedImage image, float threshold, int most) {
    return detect(ImageArg.of(image), threshold, most);
  }

  /**
   * Finds the objects that score {@link #DEFAULT_THRESHOLD} or more.
   *
   * @param path a JPEG or PNG file
   * @return the objects, in descending order of score
   * @throws MxinferException as {@link #detect(Path, float, int)}
   */
  public List<Detection> detect(Path path) {
    return detect(path, DEFAULT_THRESHOLD, 0);
  }

  /**
   * Finds objects.
   *
   * @param path a local JPEG or PNG file; pass an address as a URI
   * @param threshold objects that score less are left out
   * @param most the most objects of each image, best first; 0: all
   * @return the objects, in descending order of score
   * @throws MxinferException NOT_FOUND, MALFORMED, INVALID_ARGUMENT: an invalid threshold or number
   */
  public List<Detection> detect(Path path, float threshold, int most) {
    return detect(ImageArg.of(path), threshold, most);
  }

  /**
   * Fetches an image, and finds the objects that score {@link #DEFAULT_THRESHOLD} or more.
   *
   * @param uri an absolute address of a JPEG or PNG file: http, https, s3, hdfs or file
   * @return the objects, in descending order of score
   * @throws MxinferException as {@link #detect(URI, float, int)}
   */
  public List<Detection> detect(URI uri) {
    return detect(uri, DEFAULT_THRESHOLD, 0);
  }

  /**
   * Fetches an image with the options that the model was loaded with, and finds objects.
   *
   * @param uri an absolute address of a JPEG or PNG file: http, https, s3, hdfs or file
   * @param threshold objects that score less are left out
   * @param most the most objects of each image, best first; 0: all
   * @return the objects, in descending order of score
   * @throws MxinferException NOT_FOUND, MALFORMED, an error of the network; INVALID_ARGUMENT: an address that is not
   *     absolute, an invalid threshold or number
   */
  public List<Detection> detect(URI uri, float threshold, int most) {
    return detect(ImageArg.of(uri), threshold, most);
  }

  /**
   * Finds the objects that score {@link #DEFAULT_THRESHOLD} or more.
   *
   * @param encoded the contents of a JPEG or PNG file; no file is opened for them
   * @return the objects, in descending order of score
   * @throws MxinferException as {@link #detect(byte[], float, int)}
   */
  public List<Detection> detect(byte[] encoded) {
    return detect(encoded, DEFAULT_THRESHOLD, 0);
  }

  /**
   * Finds objects.
   *
   * @param encoded the contents of a JPEG or PNG file; no file is opened for them
   * @param threshold objects that score less are left out
   * @param most the most objects of each image, best first; 0: all
   * @return the objects, in descending order of score
   * @throws MxinferException MALFORMED, INVALID_ARGUMENT: an invalid threshold or number
   */
  public List<Detection> detect(byte[] encoded, float threshold, int most) {
    return detect(ImageArg.of(encoded), threshold, most);
  }

  /**
   * Finds objects, with options.
   *
   * @param image the pixels, of any type; converted as those of a PNG
   * @param options which objects to return
   * @return the objects, in descending order of score
   * @throws MxinferException as {@link #detect(BufferedImage, float, int)}; INVALID_ARGUMENT: a class that the model
   *     does not have
   */
  public List<Detection> detect(BufferedImage image, DetectOptions options) {
    return detect(ImageArg.of(image), options);
  }

  /**
   * Finds objects, with options.
   *
   * @param path a JPEG or PNG file
   * @param options which objects to return
   * @return the objects, in descending order of score
   * @throws MxinferException as {@link #detect(Path, float, int)}; INVALID_ARGUMENT: a class that the model does not
   *     have
   */
  public List<Detection> detect(Path path, DetectOptions options) {
    return detect(ImageArg.of(path), options);
  }

  /**
   * Finds objects, with options.
   *
   * @param uri an absolute address of a JPEG or PNG file: http, https, s3, hdfs or file
   * @param options which objects to return
   * @return the objects, in descending order of score
   * @throws MxinferException as {@link #detect(URI, float, int)}; INVALID_ARGUMENT: a class that the model does not
   *     have
   */
  public List<Detection> detect(URI uri, DetectOptions options) {
    return detect(ImageArg.of(uri), options);
  }

  /**
   * Finds objects, with options.
   *
   * @param encoded the contents of a JPEG or PNG file; no file is opened for them
   * @param options which objects to return
   * @return the objects, in descending order of score
   * @throws MxinferException as {@link #detect(byte[], float, int)}; INVALID_ARGUMENT: a class that the model does not
   *     have
   */
  public List<Detection> detect(byte[] encoded, DetectOptions options) {
    return detect(ImageArg.of(encoded), options);
  }

  /**
   * Finds objects, and tells why every other candidate was left out.
   *
   * @param image the pixels, of any type; converted as those of a PNG
   * @param options which objects to return
   * @return the objects, and counts of what was left out
   * @throws MxinferException as {@link #detect(BufferedImage, DetectOptions)}
   */
  public DetectReport report(BufferedImage image, DetectOptions options) {
    return report(ImageArg.of(image), options);
  }

  /**
   * Finds objects, and tells why every other candidate was left out.
   *
   * @param path a JPEG or PNG file
   * @param options which objects to return
   * @return the objects, and counts of what was left out
   * @throws MxinferException as {@link #detect(Path, DetectOptions)}
   */
  public DetectReport report(Path path, DetectOptions options) {
    return report(ImageArg.of(path), options);
  }

  /**
   * Finds objects, and tells why every other candidate was left out.
   *
   * @param uri an absolute address of a JPEG or PNG file: http, https, s3, hdfs or file
   * @param options which objects to return
   * @return the objects, and counts of what was left out
   * @throws MxinferException as {@link #detect(URI, DetectOptions)}
   */
  public DetectReport report(URI uri, DetectOptions options) {
    return report(ImageArg.of(uri), options);
  }

  /**
   * Finds objects, and tells why every other candidate was left out.
   *
   * @param encoded the contents of a JPEG or PNG file; no file is opened for them
   * @param options which objects to return
   * @return the objects, and counts of what was left out
   * @throws MxinferException as {@link #detect(byte[], DetectOptions)}
   */
  public DetectReport report(byte[] encoded, DetectOptions options) {
    return report(ImageArg.of(encoded), options);
  }

  private List<Detection> detect(ImageArg image, float threshold, int most) {
    return detect(image, DetectOptions.of(threshold, most));
  }

  private List<Detection> detect(ImageArg image, DetectOptions wanted) {
    Objects.requireNonNull(wanted, "options");
    int[] numbers = call(address -> Native.detect(address, image.source, image.items(), image.size, wanted.threshold,
        wanted.most, wanted.classes(), wanted.thresholdClasses(), wanted.thresholds(), wanted.nms(), null));
    return Unpack.detections(numbers, labels);
  }

  private DetectReport report(ImageArg image, DetectOptions wanted) {
    Objects.requireNonNull(wanted, "options");
    Object[] parts = call(address -> Native.report(address, image.source, image.items(), image.size, wanted.threshold,
        wanted.most, wanted.classes(), wanted.thresholdClasses(), wanted.thresholds(), wanted.nms()));
    return new DetectReport(Unpack.detections((int[]) parts[0], labels), Unpack.classes((int[]) parts[1], labels),
        (long[]) parts[2], Text.of((byte[]) parts[3]));
  }

  /**
   * Finds objects in a list of images.
   *
   * @param images of any types and sizes
   * @param threshold objects that score less are left out
   * @param most the most objects of each image, best first; 0: all
   * @return the objects of each, in descending order of score, or its error
   * @throws MxinferException if the call itself is invalid
   */
  public List<ItemResult<List<Detection>>> detectImages(List<BufferedImage> images, float threshold, int most) {
    return detect(ImageArg.Batch.of(Native.PIXELS, images, "images", ImageArg::of), threshold, most);
  }

  /**
   * Finds objects in a list of images, with options.
   *
   * @param images as {@link #detectImages(List, float, int)}
   * @param options which objects to return
   * @return the objects of each, in descending order of score, or its error
   * @throws MxinferException if the call itself is invalid
   */
  public List<ItemResult<List<Detection>>> detectImages(List<BufferedImage> images, DetectOptions options) {
    return detect(ImageArg.Batch.of(Native.PIXELS, images, "images", ImageArg::of), options);
  }

  /**
   * Finds objects in a list of images.
   *
   * @param paths JPEG or PNG files
   * @param threshold objects that score less are left out
   * @param most the most objects of each image, best first; 0: all
   * @return the objects of each, in descending order of score, or its error
   * @throws MxinferException if the call itself is invalid
   */
  public List<ItemResult<List<Detection>>> detectFiles(List<Path> paths, float threshold, int most) {
    return detect(ImageArg.Batch.ofFiles(paths), threshold, most);
  }

  /**
   * Finds objects in a list of images, with options.
   *
   * @param paths as {@link #detectFiles(List, float, int)}
   * @param options which objects to return
   * @return the objects of each, in descending order of score, or its error
   * @throws MxinferException if the call itself is invalid
   */
  public List<ItemResult<List<Detection>>> detectFiles(List<Path> paths, DetectOptions options) {
    return detect(ImageArg.Batch.ofFiles(paths), options);
  }

  /**
   * Fetches images, several at a time, and finds objects in them.
   *
   * @param uris absolute addresses of JPEG or PNG files: http, https, s3, hdfs or file
   * @param threshold objects that score less are left out
   * @param most the most objects of each image, best first; 0: all
   * @return the objects of each, in descending order of score, or its error
   * @throws MxinferException if the call itself is invalid
   */
  public List<ItemResult<List<Detection>>> detectUris(List<URI> uris, float threshold, int most) {
    return detect(ImageArg.Batch.of(Native.FILE, uris, "uris", ImageArg::of), threshold, most);
  }

  /**
   * Finds objects in a list of images, with options.
   *
   * @param uris as {@link #detectUris(List, float, int)}
   * @param options which objects to return
   * @return the objects of each, in descending order of score, or its error
   * @throws MxinferException if the call itself is invalid
   */
  public List<ItemResult<List<Detection>>> detectUris(List<URI> uris, DetectOptions options) {
    return detect(ImageArg.Batch.of(Native.FILE, uris, "uris", ImageArg::of), options);
  }

  /**
   * Finds objects in a list of images.
   *
   * @param encoded the contents of JPEG or PNG files
   * @param threshold objects that score less are left out
   * @param most the most objects of each image, best first; 0: all
   * @return the objects of each, in descending order of score, or its error
   * @throws MxinferException if the call itself is invalid
   */
  public List<ItemResult<List<Detection>>> detectEncoded(List<byte[]> encoded, float threshold, int most) {
    return detect(ImageArg.Batch.of(Native.ENCODED, encoded, "encoded", ImageArg::of), threshold, most);
  }

  /**
   * Finds objects in a list of images, with options.
   *
   * @param encoded as {@link #detectEncoded(List, float, int)}
   * @param options which objects to return
   * @return the objects of each, in descending order of score, or its error
   * @throws MxinferException if the call itself is invalid
   */
  public List<ItemResult<List<Detection>>> detectEncoded(List<byte[]> encoded, DetectOptions options) {
    return detect(ImageArg.Batch.of(Native.ENCODED, encoded, "encoded", ImageArg::of), options);
  }

  private List<ItemResult<List<Detection>>> detect(ImageArg.Batch batch, float threshold, int most) {
    return detect(batch, DetectOptions.of(threshold, most));
  }

  private List<ItemResult<List<Detection>>> detect(ImageArg.Batch batch, DetectOptions wanted) {
    Objects.requireNonNull(wanted, "options");
    if (batch.items.length == 0) {
      return List.of();
    }
    int[] numbers = call(address -> Native.detect(address, batch.source, batch.items, batch.sizes, wanted.threshold,
        wanted.most, wanted.classes(), wanted.thresholdClasses(), wanted.thresholds(), wanted.nms(), batch.messages));
    return Unpack.detectionsOfList(numbers, labels, batch);
  }

  /**
   * Submits a call of {@link #detect(BufferedImage, float, int)}, with default {@link SubmitOptions}.
   *
   * @param image the pixels, of any type; converted as those of a PNG; copied
   * @param threshold objects that score less are left out
   * @param most the most objects of each image, best first; 0: all
   * @return the objects, or a {@link MxinferException}
   */
  public CompletableFuture<List<Detection>> detectAsync(BufferedImage image, float threshold, int most) {
    return detectAsync(image, threshold, most, SubmitOptions.DEFAULT);
  }

  /**
   * Submits a call of {@link #detect(BufferedImage, float, int)}.
   *
   * @param image the pixels, of any type; converted as those of a PNG; copied
   * @param threshold objects that score less are left out
   * @param most the most objects of each image, best first; 0: all
   * @param options priority, timeout, executor
   * @return the objects, or a {@link MxinferException}
   */
  public CompletableFuture<List<Detection>> detectAsync(BufferedImage image, float threshold, int most, SubmitOptions options) {
    return submitImage(ImageArg.of(image), threshold, most, options);
  }

  /**
   * Submits a call of {@link #detect(Path, float, int)}, with default {@link SubmitOptions}.
   *
   * @param path a JPEG or PNG file
   * @param threshold objects that score less are left out
   * @param most the most objects of each image, best first; 0: all
   * @return the objects, or a {@link MxinferException}
   */
  public CompletableFuture<List<Detection>> detectAsync(Path path, float threshold, int most) {
    return detectAsync(path, threshold, most, SubmitOptions.DEFAULT);
  }

  /**
   * Submits a call of {@link #detect(Path, float, int)}.
   *
   * @param path a JPEG or PNG file
   * @param threshold objects that score less are left out
   * @param most the most objects of each image, best first; 0: all
   * @param options priority, timeout, executor
   * @return the objects, or a {@link MxinferException}
   */
  public CompletableFuture<List<Detection>> detectAsync(Path path, float threshold, int most, SubmitOptions options) {
    return submitImage(ImageArg.of(path), threshold, most, options);
  }

  /**
   * Submits a call of {@link #detect(URI, float, int)}, with default {@link SubmitOptions}.
   *
   * @param uri an absolute address of a JPEG or PNG file: http, https, s3, hdfs or file
   * @param threshold objects that score less are left out
   * @param most the most objects of each image, best first; 0: all
   * @return the objects, or a {@link MxinferException}
   */
  public CompletableFuture<List<Detection>> detectAsync(URI uri, float threshold, int most) {
    return detectAsync(uri, threshold, most, SubmitOptions.DEFAULT);
  }

  /**
   * Submits a call of {@link #detect(URI, float, int)}.
   *
   * @param uri an absolute address of a JPEG or PNG file: http, https, s3, hdfs or file
   * @param threshold objects that score less are left out
   * @param most the most objects of each image, best first; 0: all
   * @param options priority, timeout, executor
   * @return the objects, or a {@link MxinferException}
   */
  public CompletableFuture<List<Detection>> detectAsync(URI uri, float threshold, int most, SubmitOptions options) {
    return submitImage(ImageArg.of(uri), threshold, most, options);
  }

  /**
   * Submits a call of {@link #detect(byte[], float, int)}, with default {@link SubmitOptions}.
   *
   * @param encoded the contents of a JPEG or PNG file; no file is opened for them; copied
   * @param threshold objects that score less are left out
   * @param most the most objects of each image, best first; 0: all
   * @return the objects, or a {@link MxinferException}
   */
  public CompletableFuture<List<Detection>> detectAsync(byte[] encoded, float threshold, int most) {
    return detectAsync(encoded, threshold, most, SubmitOptions.DEFAULT);
  }

  /**
   * Submits a call of {@link #detect(byte[], float, int)}.
   *
   * @param encoded the contents of a JPEG or PNG file; no file is opened for them; copied
   * @param threshold objects that score less are left out
   * @param most the most objects of each image, best first; 0: all
   * @param options priority, timeout, executor
   * @return the objects, or a {@link MxinferException}
   */
  public CompletableFuture<List<Detection>> detectAsync(byte[] encoded, float threshold, int most, SubmitOptions options) {
    return submitImage(ImageArg.of(encoded), threshold, most, options);
  }

  private CompletableFuture<List<Detection>> submitImage(ImageArg image, float threshold, int most,
      SubmitOptions options) {
    Objects.requireNonNull(options, "options");
    return call(address -> submit(options, false, null,
        () -> Native.submitDetect(address, image.source, image.bytes, image.size, threshold, most, options.priority(),
            options.timeout()),
        request -> Unpack.detections(Native.takeDetections(request), labels)));
  }

  /**
   * Submits each image of a list for {@link #detectImages(List, float, int)}. The options "max_in_flight" and
   * "when_full" count each of them.
   *
   * @param images of any types and sizes
   * @param threshold objects that score less are left out
   * @param most the most objects of each image, best first; 0: all
   * @param options priority, timeout, executor
   * @return the objects of each, or its error
   */
  public CompletableFuture<List<ItemResult<List<Detection>>>> detectImagesAsync(List<BufferedImage> images, float threshold, int most,
      SubmitOptions options) {
    Objects.requireNonNull(options, "options");
    return Completions.submitEach(images, "images", image -> detectAsync(image, threshold, most, options));
  }

  /**
   * Submits each image of a list for {@link #detectFiles(List, float, int)}. The options "max_in_flight" and
   * "when_full" count each of them.
   *
   * @param paths JPEG or PNG files
   * @param threshold objects that score less are left out
   * @param most the most objects of each image, best first; 0: all
   * @param options priority, timeout, executor
   * @return the objects of each, or its error
   */
  public CompletableFuture<List<ItemResult<List<Detection>>>> detectFilesAsync(List<Path> paths, float threshold, int most,
      SubmitOptions options) {
    Objects.requireNonNull(options, "options");
    return Completions.submitEach(paths, "paths", image -> detectAsync(image, threshold, most, options));
  }

  /**
   * Submits each image of a list for {@link #detectUris(List, float, int)}. The options "max_in_flight" and
   * "when_full" count each of them.
   *
   * @param uris absolute addresses of JPEG or PNG files: http, https, s3, hdfs or file
   * @param threshold objects that score less are left out
   * @param most the most objects of each image, best first; 0: all
   * @param options priority, timeout, executor
   * @return the objects of each, or its error
   */
  public CompletableFuture<List<ItemResult<List<Detection>>>> detectUrisAsync(List<URI> uris, float threshold, int most,
      SubmitOptions options) {
    Objects.requireNonNull(options, "options");
    return Completions.submitEach(uris, "uris", image -> detectAsync(image, threshold, most, options));
  }

  /**
   * Submits each image of a list for {@link #detectEncoded(List, float, int)}. The options "max_in_flight" and
   * "when_full" count each of them.
   *
   * @param encoded the contents of JPEG or PNG files
   * @param threshold objects that score less are left out
   * @param most the most objects of each image, best first; 0: all
   * @param options priority, timeout, executor
   * @return the objects of each, or its error
   */
  public CompletableFuture<List<ItemResult<List<Detection>>>> detectEncodedAsync(List<byte[]> encoded, float threshold, int most,
      SubmitOptions options) {
    Objects.requireNonNull(options, "options");
    return Completions.submitEach(encoded, "encoded", image -> detectAsync(image, threshold, most, options));
  }

  /**
   * Finds the best objects of an image, without a threshold. The name comes from MXNet's Java API. Coordinates are
   * pixels of the image.
   *
   * @param image the pixels, of any type
   * @param topK how many objects, in descending order of score; 0: all
   * @return a list that holds the objects of the image
   * @throws MxinferException as {@link #detect(BufferedImage, float, int)}
   */
  public List<List<Detection>> imageObjectDetect(BufferedImage image, int topK) {
    return List.of(detect(image, 0, topK));
  }

  /**
   * Finds the best objects of each image, without a threshold. The name comes from MXNet's Java API. Coordinates are
   * pixels of the image.
   *
   * @param images the images, of any types and sizes
   * @param topK how many objects of each, in descending order of score; 0: all
   * @return the objects of each image
   * @throws MxinferException as {@link #detect(BufferedImage, float, int)}, for the first invalid image
   */
  public List<List<Detection>> imageBatchObjectDetect(Iterable<BufferedImage> images, int topK) {
    List<BufferedImage> list = new ArrayList<>();
    Objects.requireNonNull(images, "images").forEach(list::add);
    List<List<Detection>> objects = new ArrayList<>();
    for (ItemResult<List<Detection>> result : detectImages(list, 0, topK)) {
      objects.add(result.get());
    }
    return List.copyOf(objects);
  }
}
