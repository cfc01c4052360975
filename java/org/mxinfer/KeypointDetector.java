package org.mxinfer;

import java.awt.image.BufferedImage;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * Finds the key points of objects, such as the joints of people, from a network's heat maps. A detector finds the
 * objects; then the network runs on the part of the image around each, as one batch.
 *
 * <pre>{@code
 * KeypointDetector joints = new KeypointDetector("simple_pose_resnet18_v1b", new Options().preset("imagenet"));
 * for (Pose pose : joints.detectKeypoints(photo, persons, PoseOptions.DEFAULT)) System.out.println(pose.points());
 * }</pre>
 *
 * <p>Takes networks with an output of heat maps, float32 (batch, points, height, width), such as GluonCV's SimplePose,
 * AlphaPose and MobilePose. It takes no addresses: fetch such an image first.
 */
public class KeypointDetector extends Predictor {
  /**
   * Loads a model with default options.
   *
   * @param uri its path or address; see {@link Model#load(String, Options)}
   * @throws MxinferException as {@link #KeypointDetector(String, Options)}
   */
  public KeypointDetector(String uri) {
    this(uri, new Options());
  }

  /**
   * Loads a model.
   *
   * @param uri its path or address; see {@link Model#load(String, Options)}
   * @param options those of the groups "load", "run", "queue" and "image"; the crop of a preset becomes "stretch"
   * @throws MxinferException as {@link ImageClassifier#ImageClassifier(String, Options)}; INVALID_ARGUMENT also if no
   *     output can be heat maps, if "resize" crops images, or if "apply_exif" is false; UNSUPPORTED if the model
   *     resizes images itself
   */
  public KeypointDetector(String uri, Options options) {
    super(Native.KEYPOINT_DETECTOR, openVision(Native.KEYPOINT_DETECTOR, uri, options, true));
  }

  /**
   * Makes a detector for a model.
   *
   * @param model the model, which may be closed afterwards
   * @param options as for {@link #KeypointDetector(String, Options)}; those of the group "load" are ignored
   * @throws MxinferException as {@link #KeypointDetector(String, Options)}
   */
  public KeypointDetector(Model model, Options options) {
    super(Native.KEYPOINT_DETECTOR, createVision(Native.KEYPOINT_DETECTOR, model, options, true));
  }

  /**
   * Finds the points of the one object that fills the image.
   *
   * @param image the pixels, of any type; converted as those of a PNG
   * @param options how the points are read
   * @return the object and its points
   * @throws MxinferException INVALID_ARGUMENT: outputs that are not heat maps
   */
  public Pose detectKeypoints(BufferedImage image, PoseOptions options) {
    return detect(ImageArg.of(image), (float[]) null, options).get(0);
  }

  /**
   * Finds the points of the object in each box.
   *
   * @param image the pixels, of any type; converted as those of a PNG
   * @param boxes where the objects are
   * @param options how the points are read
   * @return one pose for each box, in order
   * @throws MxinferException INVALID_ARGUMENT: a box that is not finite or has no pixel in the image, a scale of boxes
   *     that is not above 0, outputs that are not heat maps
   */
  public List<Pose> detectKeypoints(BufferedImage image, List<Box> boxes, PoseOptions options) {
    return detect(ImageArg.of(image), numbers(boxes), options);
  }

  /**
   * Finds the points of the objects that a detector finds.
   *
   * @param image the pixels, of any type; converted as those of a PNG
   * @param detector finds the objects
   * @param options which objects, and how their points are read
   * @return one pose for each object, best first
   * @throws MxinferException as for boxes, and what the detector throws; INVALID_ARGUMENT also if it finds objects but
   *     has none of the classes of the options among its labels
   */
  public List<Pose> detectKeypoints(BufferedImage image, ObjectDetector detector, PoseOptions options) {
    return detect(ImageArg.of(image), detector, options);
  }

  /**
   * Finds the points of the one object that fills the image.
   *
   * @param path a local JPEG or PNG file
   * @param options how the points are read
   * @return the object and its points
   * @throws MxinferException NOT_FOUND, MALFORMED, INVALID_ARGUMENT: outputs that are not heat maps
   */
  public Pose detectKeypoints(Path path, PoseOptions options) {
    return detect(ImageArg.of(path), (float[]) null, options).get(0);
  }

  /**
   * Finds the points of the object in each box.
   *
   * @param path a local JPEG or PNG file
   * @param boxes where the objects are
   * @param options how the points are read
   * @return one pose for each box, in order
   * @throws MxinferException NOT_FOUND, MALFORMED, INVALID_ARGUMENT: a box that is not finite or has no pixel in the
   *     image, a scale of boxes that is not above 0, outputs that are not heat maps
   */
  public List<Pose> detectKeypoints(Path path, List<Box> boxes, PoseOptions options) {
    return detect(ImageArg.of(path), numbers(boxes), options);
  }

  /**
   * Finds the points of the objects that a detector finds.
   *
   * @param path a local JPEG or PNG file
   * @param detector finds the objects
   * @param options which objects, and how their points are read
   * @return one pose for each object, best first
   * @throws MxinferException as for boxes, and what the detector throws; INVALID_ARGUMENT also if it finds objects but
   *     has none of the classes of the options among its labels
   */
  public List<Pose> detectKeypoints(Path path, ObjectDetector detector, PoseOptions options) {
    return detect(ImageArg.of(path), detector, options);
  }

  /**
   * Finds the points of the one object that fills the image.
   *
   * @param encoded the contents of a JPEG or PNG file; no file is opened for them
   * @param options how the points are read
   * @return the object and its points
   * @throws MxinferException MALFORMED, INVALID_ARGUMENT: outputs that are not heat maps
   */
  public Pose detectKeypoints(byte[] encoded, PoseOptions options) {
    return detect(ImageArg.of(encoded), (float[]) null, options).get(0);
  }

  /**
   * Finds the points of the object in each box.
   *
   * @param encoded the contents of a JPEG or PNG file; no file is opened for them
   * @param boxes where the objects are
   * @param options how the points are read
   * @return one pose for each box, in order
   * @throws MxinferException MALFORMED, INVALID_ARGUMENT: a box that is not finite or has no pixel in the image, a
   *     scale of boxes that is not above 0, outputs that are not heat maps
   */
  public List<Pose> detectKeypoints(byte[] encoded, List<Box> boxes, PoseOptions options) {
    return detect(ImageArg.of(encoded), numbers(boxes), options);
  }

  /**
   * Finds the points of the objects that a detector finds.
   *
   * @param encoded the contents of a JPEG or PNG file; no file is opened for them
   * @param detector finds the objects
   * @param options which objects, and how their points are read
   * @return one pose for each object, best first
   * @throws MxinferException as for boxes, and what the detector throws; INVALID_ARGUMENT also if it finds objects but
   *     has none of the classes of the options among its labels
   */
  public List<Pose> detectKeypoints(byte[] encoded, ObjectDetector detector, PoseOptions options) {
    return detect(ImageArg.of(encoded), detector, options);
  }

  private static float[] numbers(List<Box> boxes) {
    Box[] list = Objects.requireNonNull(boxes, "boxes").toArray(new Box[0]);
    float[] numbers = new float[4 * list.length];
    for (int i = 0; i < list.length; i++) {
      Box box = Objects.requireNonNull(list[i], "an element of boxes");
      float[] corners = {box.left(), box.top(), box.right(), box.bottom()};
      System.arraycopy(corners, 0, numbers, 4 * i, 4);
    }
    return numbers;
  }

  /** `boxes`: null for the one object that fills the image. */
  private List<Pose> detect(ImageArg image, float[] boxes, PoseOptions options) {
    Objects.requireNonNull(options, "options");
    return Pose.listOf(call(address -> NativeVision.keypoints(address, image.source, image.bytes, image.size, boxes, 0,
        options.boxScale, options.peak == PoseOptions.Peak.QUARTER, new byte[0][], options.threshold, options.most)));
  }

  private List<Pose> detect(ImageArg image, ObjectDetector detector, PoseOptions options) {
    Objects.requireNonNull(detector, "detector");
    byte[][] classes = Text.utf8(Objects.requireNonNull(options, "options").classes, "classes");
    return Pose.listOf(call(address -> detector.call(objects -> NativeVision.keypoints(address, image.source,
        image.bytes, image.size, null, objects, options.boxScale, options.peak == PoseOptions.Peak.QUARTER, classes,
        options.threshold, options.most))));
  }
}
