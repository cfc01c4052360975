package org.mxinfer;

import java.awt.image.BufferedImage;
import java.awt.image.DataBufferByte;
import java.util.List;
import java.util.Objects;

/**
 * Draws results into an image, for people to look at.
 *
 * <pre>{@code
 * BufferedImage found = Drawing.draw(image, detector.detect(image), DrawOptions.DEFAULT);
 * ImageIO.write(found, "png", new File("found.png"));
 * }</pre>
 *
 * <p>Every function returns a new RGB image of the same size and does not change its argument. Coordinates are in
 * pixels of the image. Shapes are clipped at its edges, and shapes with coordinates that are not finite are left out.
 * Letters of ASCII and Latin-1 are drawn; every other character is a box.
 */
public final class Drawing {
  private Drawing() {}

  /**
   * Draws a box around each object, with its label and score. Where boxes overlap, the one with the higher score is on
   * top.
   *
   * @param image the pixels, of any type
   * @param objects what was found in it
   * @param options lines, texts, colours
   * @return a new image
   * @throws InvalidArgumentException if an option is outside its range
   */
  public static BufferedImage draw(BufferedImage image, List<Detection> objects, DrawOptions options) {
    ImageArg pixels = ImageArg.of(image);
    Detection[] list = Objects.requireNonNull(objects, "objects").toArray(new Detection[0]);
    Objects.requireNonNull(options, "options");
    byte[][] labels = new byte[list.length][];
    int count = 0;
    for (int i = 0; i < list.length; i++) {
      labels[i] = Text.utf8(Objects.requireNonNull(list[i], "an element of objects").getClassName(), "label");
      count += 7 + list[i].getLandmarks().length;
    }
    float[] numbers = new float[count];
    int at = 0;
    for (Detection object : list) {
      float[] landmarks = object.getLandmarks();
      float[] own = {object.getIndex(), object.getProbability(), object.getXMin(), object.getYMin(), object.getXMax(),
          object.getYMax(), landmarks.length};
      System.arraycopy(own, 0, numbers, at, own.length);
      System.arraycopy(landmarks, 0, numbers, at + own.length, landmarks.length);
      at += own.length + landmarks.length;
    }
    return image(image,
        NativeVision.draw(pixels.bytes, pixels.size, numbers, labels, options.numbers(), options.colors));
  }

  /**
   * Draws small discs on points, such as the landmarks of a face.
   *
   * @param image the pixels, of any type
   * @param points x and y of one point after another
   * @param options lines and colours; a colour for each position in the list
   * @return a new image
   * @throws InvalidArgumentException if an option is outside its range, or the number of coordinates is odd
   */
  public static BufferedImage drawPoints(BufferedImage image, float[] points, DrawOptions options) {
    ImageArg pixels = ImageArg.of(image);
    requireEven(Objects.requireNonNull(points, "points").length, "points");
    Objects.requireNonNull(options, "options");
    return image(image,
        NativeVision.drawPoints(pixels.bytes, pixels.size, points, options.numbers(), options.colors));
  }

  /**
   * Draws limbs, and discs on the points that they join. A point with coordinates that are not finite was not found: it
   * is left out with its limbs.
   *
   * @param image the pixels, of any type
   * @param points x and y of one point after another, such as {@link Pose#coordinates()}
   * @param limbs the positions of the two points of one limb after another
   * @param options lines and colours; a colour for each position of a limb
   * @return a new image
   * @throws InvalidArgumentException as {@link #drawPoints}; also if a limb refers to a point that does not exist
   */
  public static BufferedImage drawSkeleton(BufferedImage image, float[] points, int[] limbs, DrawOptions options) {
    ImageArg pixels = ImageArg.of(image);
    requireEven(Objects.requireNonNull(points, "points").length, "points");
    requireEven(Objects.requireNonNull(limbs, "limbs").length, "limbs");
    Objects.requireNonNull(options, "options");
    return image(image,
        NativeVision.drawSkeleton(pixels.bytes, pixels.size, points, limbs, options.numbers(), options.colors));
  }

  /**
   * Blends each pixel with the colour of its label.
   *
   * @param image the pixels, of any type
   * @param labels what they show, of the same size
   * @param opacity of the colours, 0 (the original image) to 1 (colours only)
   * @param background pixels with this label do not change; -1: none
   * @return a new image
   * @throws InvalidArgumentException if the sizes differ, or the opacity is outside 0 to 1
   */
  public static BufferedImage blendLabels(BufferedImage image, Segmentation labels, float opacity, int background) {
    ImageArg pixels = ImageArg.of(image);
    Objects.requireNonNull(labels, "labels");
    return image(image, NativeVision.blendLabels(pixels.bytes, pixels.size, labels.ownLabels(), labels.width(),
        labels.height(), opacity, background, DrawOptions.DEFAULT.colors));
  }

  private static void requireEven(int count, String what) {
    if (count % 2 != 0) {
      throw new InvalidArgumentException(what + " has " + count + " numbers, where pairs of them are needed");
    }
  }

  private static BufferedImage image(BufferedImage like, byte[] rgb) {
    return imageOf(like.getWidth(), like.getHeight(), 3, rgb);
  }

  /** Of 1 or 3 channels, row by row. */
  static BufferedImage imageOf(int width, int height, int channels, byte[] pixels) {
    BufferedImage image = new BufferedImage(width, height,
        channels == 1 ? BufferedImage.TYPE_BYTE_GRAY : BufferedImage.TYPE_3BYTE_BGR);
    byte[] to = ((DataBufferByte) image.getRaster().getDataBuffer()).getData();
    if (channels == 1) {
      System.arraycopy(pixels, 0, to, 0, pixels.length);
      return image;
    }
    for (int i = 0; i < pixels.length; i += 3) {
      to[i] = pixels[i + 2];
      to[i + 1] = pixels[i + 1];
      to[i + 2] = pixels[i];
    }
    return image;
  }
}
