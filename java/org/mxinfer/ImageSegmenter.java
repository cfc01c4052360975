package org.mxinfer;

import java.awt.image.BufferedImage;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * Labels every pixel of an image. An end-to-end model preprocesses images itself. For a bare network, set the options
 * of the group "image".
 *
 * <pre>{@code
 * Options options = new Options().preset("imagenet").resize("stretch");
 * try (ImageSegmenter segmenter = new ImageSegmenter("deeplab_resnet50_voc", options)) {
 *   for (SegmentArea area : segmenter.segment(Path.of("street.jpg")).areas()) System.out.println(area);
 * }
 * }</pre>
 *
 * <p>Takes networks whose first output of four dimensions is scores, float32 (batch, classes, height, width), of 1 to
 * 255 classes, and networks that return positions in the labels, (batch, height, width). The map may be smaller than
 * the network's input. If there is one class, a pixel has label 1 if its score is above 0.5, otherwise 0.
 *
 * <p>The labels are those of your image, with any preprocessing. Pixels that a crop cut off are {@link
 * Segmentation#UNKNOWN}.
 *
 * <p>A list runs as one batch. Its images may have any sizes, and an invalid one does not affect the others. The
 * functions that return a future submit each image of a list separately.
 */
public class ImageSegmenter extends Predictor {
  /**
   * Loads a model with default options.
   *
   * @param uri its path or address; see {@link Model#load(String, Options)}
   * @throws MxinferException as {@link #ImageSegmenter(String, Options)}
   */
  public ImageSegmenter(String uri) {
    this(uri, new Options());
  }

  /**
   * Loads a model.
   *
   * @param uri its path or address; see {@link Model#load(String, Options)}
   * @param options those of the groups "load", "run", "queue" and "image", and "activation", which turns the network's
   *     outputs into scores
   * @throws MxinferException as {@link ImageClassifier#ImageClassifier(String, Options)}; INVALID_ARGUMENT also if no
   *     output can be a map
   */
  public ImageSegmenter(String uri, Options options) {
    super(Native.IMAGE_SEGMENTER, openVision(Native.IMAGE_SEGMENTER, uri, options, true));
  }

  /**
   * Makes a segmenter for a model.
   *
   * @param model the model, which may be closed afterwards
   * @param options as for {@link #ImageSegmenter(String, Options)}; those of the group "load" are ignored
   * @throws MxinferException as {@link #ImageSegmenter(String, Options)}
   */
  public ImageSegmenter(Model model, Options options) {
    super(Native.IMAGE_SEGMENTER, createVision(Native.IMAGE_SEGMENTER, model, options, true));
  }

  /**
   * Labels every pixel of an image, with default options.
   *
   * @param image the pixels, of any type; converted as those of a PNG
   * @return the labels
   * @throws MxinferException as {@link #segment(BufferedImage, SegmentOptions)}
   */
  public Segmentation segment(BufferedImage image) {
    return segment(image, SegmentOptions.DEFAULT);
  }

  /**
   * Labels every pixel of an image.
   *
   * @param image the pixels, of any type; converted as those of a PNG
   * @param options how pixels get their labels
   * @return the labels
   * @throws MxinferException INVALID_ARGUMENT: outputs that are not maps
   */
  public Segmentation segment(BufferedImage image, SegmentOptions options) {
    return segment(ImageArg.of(image), options);
  }

  /**
   * Labels every pixel of an image, with default options.
   *
   * @param path a local JPEG or PNG file
   * @return the labels
   * @throws MxinferException as {@link #segment(Path, SegmentOptions)}
   */
  public Segmentation segment(Path path) {
    return segment(path, SegmentOptions.DEFAULT);
  }

  /**
   * Labels every pixel of an image.
   *
   * @param path a local JPEG or PNG file
   * @param options how pixels get their labels
   * @return the labels
   * @throws MxinferException NOT_FOUND, MALFORMED; INVALID_ARGUMENT: outputs that are not maps
   */
  public Segmentation segment(Path path, SegmentOptions options) {
    return segment(ImageArg.of(path), options);
  }

  /**
   * Labels every pixel of an image, with default options.
   *
   * @param uri an absolute address of a JPEG or PNG file: http, https, s3, hdfs or file
   * @return the labels
   * @throws MxinferException as {@link #segment(URI, SegmentOptions)}
   */
  public Segmentation segment(URI uri) {
    return segment(uri, SegmentOptions.DEFAULT);
  }

  /**
   * Labels every pixel of an image.
   *
   * @param uri an absolute address of a JPEG or PNG file: http, https, s3, hdfs or file
   * @param options how pixels get their labels
   * @return the labels
   * @throws MxinferException NOT_FOUND, MALFORMED, an error of the network; INVALID_ARGUMENT: an address that is not
   *     absolute, outputs that are not maps
   */
  public Segmentation segment(URI uri, SegmentOptions options) {
    return segment(ImageArg.of(uri), options);
  }

  /**
   * Labels every pixel of an image, with default options.
   *
   * @param encoded the contents of a JPEG or PNG file; no file is opened for them
   * @return the labels
   * @throws MxinferException as {@link #segment(byte[], SegmentOptions)}
   */
  public Segmentation segment(byte[] encoded) {
    return segment(encoded, SegmentOptions.DEFAULT);
  }

  /**
   * Labels every pixel of an image.
   *
   * @param encoded the contents of a JPEG or PNG file; no file is opened for them
   * @param options how pixels get their labels
   * @return the labels
   * @throws MxinferException MALFORMED; INVALID_ARGUMENT: outputs that are not maps
   */
  public Segmentation segment(byte[] encoded, SegmentOptions options) {
    return segment(ImageArg.of(encoded), options);
  }

  private Segmentation segment(ImageArg image, SegmentOptions options) {
    Objects.requireNonNull(options, "options");
    return Segmentation.of(call(address -> NativeVision.segment(address, image.source, image.items(), image.size,
        options.minScore, options.smooth, null)), 0);
  }

  /**
   * Labels the pixels of a list of images.
   *
   * @param images of any types and sizes
   * @param options how pixels get their labels
   * @return the labels of each image, or its error
   * @throws MxinferException if the call itself is invalid
   */
  public List<ItemResult<Segmentation>> segmentImages(List<BufferedImage> images, SegmentOptions options) {
    return segment(ImageArg.Batch.of(Native.PIXELS, images, "images", ImageArg::of), options);
  }

  /**
   * Labels the pixels of a list of images.
   *
   * @param paths JPEG or PNG files
   * @param options how pixels get their labels
   * @return the labels of each image, or its error
   * @throws MxinferException if the call itself is invalid
   */
  public List<ItemResult<Segmentation>> segmentFiles(List<Path> paths, SegmentOptions options) {
    return segment(ImageArg.Batch.ofFiles(paths), options);
  }

  /**
   * Labels the pixels of a list of images.
   *
   * @param uris absolute addresses of JPEG or PNG files: http, https, s3, hdfs or file
   * @param options how pixels get their labels
   * @return the labels of each image, or its error
   * @throws MxinferException if the call itself is invalid
   */
  public List<ItemResult<Segmentation>> segmentUris(List<URI> uris, SegmentOptions options) {
    return segment(ImageArg.Batch.of(Native.FILE, uris, "uris", ImageArg::of), options);
  }

  /**
   * Labels the pixels of a list of images.
   *
   * @param encoded the contents of JPEG or PNG files
   * @param options how pixels get their labels
   * @return the labels of each image, or its error
   * @throws MxinferException if the call itself is invalid
   */
  public List<ItemResult<Segmentation>> segmentEncoded(List<byte[]> encoded, SegmentOptions options) {
    return segment(ImageArg.Batch.of(Native.ENCODED, encoded, "encoded", ImageArg::of), options);
  }

  private List<ItemResult<Segmentation>> segment(ImageArg.Batch batch, SegmentOptions options) {
    Objects.requireNonNull(options, "options");
    if (batch.items.length == 0) {
      return List.of();
    }
    Object[] objects = call(address -> NativeVision.segment(address, batch.source, batch.items, batch.sizes,
        options.minScore, options.smooth, batch.messages));
    List<ItemResult<Segmentation>> results = new ArrayList<>();
    for (int i = 0; i < batch.items.length; i++) {
      int index = i;
      int status = ((int[]) objects[4 * i])[0];
      results.add(ItemResult.of(status, batch.messages[i], batch.errors[i], () -> Segmentation.of(objects, index)));
    }
    return List.copyOf(results);
  }

  /**
   * Submits an image for {@link #segment(BufferedImage, SegmentOptions)}.
   *
   * @param image the pixels, of any type; converted as those of a PNG; copied
   * @param options how pixels get their labels
   * @param submit priority, timeout, executor
   * @return the labels, or a {@link MxinferException}
   */
  public CompletableFuture<Segmentation> segmentAsync(BufferedImage image, SegmentOptions options, SubmitOptions submit) {
    return submitImage(ImageArg.of(image), options, submit);
  }

  /**
   * Submits an image for {@link #segment(Path, SegmentOptions)}.
   *
   * @param path a local JPEG or PNG file
   * @param options how pixels get their labels
   * @param submit priority, timeout, executor
   * @return the labels, or a {@link MxinferException}
   */
  public CompletableFuture<Segmentation> segmentAsync(Path path, SegmentOptions options, SubmitOptions submit) {
    return submitImage(ImageArg.of(path), options, submit);
  }

  /**
   * Submits an image for {@link #segment(URI, SegmentOptions)}.
   *
   * @param uri an absolute address of a JPEG or PNG file: http, https, s3, hdfs or file
   * @param options how pixels get their labels
   * @param submit priority, timeout, executor
   * @return the labels, or a {@link MxinferException}
   */
  public CompletableFuture<Segmentation> segmentAsync(URI uri, SegmentOptions options, SubmitOptions submit) {
    return submitImage(ImageArg.of(uri), options, submit);
  }

  /**
   * Submits an image for {@link #segment(byte[], SegmentOptions)}.
   *
   * @param encoded the contents of a JPEG or PNG file; no file is opened for them; copied
   * @param options how pixels get their labels
   * @param submit priority, timeout, executor
   * @return the labels, or a {@link MxinferException}
   */
  public CompletableFuture<Segmentation> segmentAsync(byte[] encoded, SegmentOptions options, SubmitOptions submit) {
    return submitImage(ImageArg.of(encoded), options, submit);
  }

  private CompletableFuture<Segmentation> submitImage(ImageArg image, SegmentOptions options, SubmitOptions submit) {
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(submit, "submit");
    return call(address -> submit(submit, false, null, () -> NativeVision.submitSegment(address, image.source,
        image.bytes, image.size, options.minScore, options.smooth, submit.priority(), submit.timeout()),
        request -> Segmentation.of(NativeVision.takeSegmentation(request), 0)));
  }

  /**
   * Submits each image of a list. The options "max_in_flight" and "when_full" count each of them.
   *
   * @param images of any types and sizes
   * @param options how pixels get their labels
   * @param submit priority, timeout, executor
   * @return the labels of each image, or its error
   */
  public CompletableFuture<List<ItemResult<Segmentation>>> segmentImagesAsync(List<BufferedImage> images, SegmentOptions options,
      SubmitOptions submit) {
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(submit, "submit");
    return Completions.submitEach(images, "images", image -> segmentAsync(image, options, submit));
  }

  /**
   * Submits each image of a list. The options "max_in_flight" and "when_full" count each of them.
   *
   * @param paths JPEG or PNG files
   * @param options how pixels get their labels
   * @param submit priority, timeout, executor
   * @return the labels of each image, or its error
   */
  public CompletableFuture<List<ItemResult<Segmentation>>> segmentFilesAsync(List<Path> paths, SegmentOptions options,
      SubmitOptions submit) {
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(submit, "submit");
    return Completions.submitEach(paths, "paths", image -> segmentAsync(image, options, submit));
  }

  /**
   * Submits each image of a list. The options "max_in_flight" and "when_full" count each of them.
   *
   * @param uris absolute addresses of JPEG or PNG files: http, https, s3, hdfs or file
   * @param options how pixels get their labels
   * @param submit priority, timeout, executor
   * @return the labels of each image, or its error
   */
  public CompletableFuture<List<ItemResult<Segmentation>>> segmentUrisAsync(List<URI> uris, SegmentOptions options,
      SubmitOptions submit) {
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(submit, "submit");
    return Completions.submitEach(uris, "uris", image -> segmentAsync(image, options, submit));
  }

  /**
   * Submits each image of a list. The options "max_in_flight" and "when_full" count each of them.
   *
   * @param encoded the contents of JPEG or PNG files
   * @param options how pixels get their labels
   * @param submit priority, timeout, executor
   * @return the labels of each image, or its error
   */
  public CompletableFuture<List<ItemResult<Segmentation>>> segmentEncodedAsync(List<byte[]> encoded, SegmentOptions options,
      SubmitOptions submit) {
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(submit, "submit");
    return Completions.submitEach(encoded, "encoded", image -> segmentAsync(image, options, submit));
  }
}
