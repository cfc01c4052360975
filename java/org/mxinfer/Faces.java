package org.mxinfer;

import java.awt.image.BufferedImage;
import java.util.Objects;

/**
 * Aligns faces, and compares their vectors.
 *
 * <pre>{@code
 * BufferedImage face = Faces.alignFace(photo, detection.getLandmarks(), 112);
 * boolean same = Faces.cosineSimilarity(embedder.embed(face), embedder.embed(other)) > 0.4f;  // a bound of the network
 * }</pre>
 *
 * <p>The landmarks of a face are ten numbers: x and y of the left eye, the right eye, the tip of the nose, and the left
 * and right corner of the mouth, as seen in the image. Whole numbers are the centres of pixels.
 */
public final class Faces {
  static final int LANDMARK_NUMBERS = 10;

  private Faces() {}

  /**
   * Returns where the landmarks lie in the images that networks such as ArcFace are trained on.
   *
   * @param size the sides of the image in pixels, 1 to 4096; usually 112
   * @return the landmarks
   * @throws InvalidArgumentException if the size is outside its range
   */
  public static float[] faceTemplate(int size) {
    return NativeVision.faceTemplate(size);
  }

  /**
   * Rotates, scales and moves a face so that its landmarks lie as near to {@link #faceTemplate} as possible.
   *
   * @param photo the pixels, of any type
   * @param landmarks those of the face
   * @param size the sides of the result in pixels, 1 to 4096; usually 112
   * @return a new image, black outside the photograph; grey if the photograph is grey
   * @throws InvalidArgumentException if the size is outside its range, or the landmarks cannot be those of a face
   */
  public static BufferedImage alignFace(BufferedImage photo, float[] landmarks, int size) {
    ImageArg pixels = ImageArg.of(photo);
    requireLandmarks(Objects.requireNonNull(landmarks, "landmarks"));
    byte[] face = NativeVision.alignFace(pixels.bytes, pixels.size, landmarks, size);
    return Drawing.imageOf(size, size, face.length / (size * size), face);
  }

  /**
   * Returns the cosine of the angle between two vectors. They need not be normalized.
   *
   * @param a a vector
   * @param b another of the same length
   * @return -1 to 1: 1 for the same direction, 0 if either is zeros
   * @throws InvalidArgumentException if the lengths differ or are 0, or a number is not finite
   */
  public static float cosineSimilarity(float[] a, float[] b) {
    return NativeVision.cosineSimilarity(Objects.requireNonNull(a, "a"), Objects.requireNonNull(b, "b"));
  }

  /**
   * Divides a vector by its length.
   *
   * @param vector the vector
   * @return a new vector of length 1; zeros stay zeros
   * @throws InvalidArgumentException if a number is not finite
   */
  public static float[] normalize(float[] vector) {
    return NativeVision.normalize(Objects.requireNonNull(vector, "vector"));
  }

  static void requireLandmarks(float[] landmarks) {
    if (landmarks.length != LANDMARK_NUMBERS) {
      throw new InvalidArgumentException("a face has " + landmarks.length + " numbers of landmarks; expected x and y of "
          + "both eyes, the nose and both corners of the mouth, " + LANDMARK_NUMBERS + " numbers");
    }
  }
}
