package org.mxinfer;

/**
 * The functions of libmxinfer_jni.so for segmentation, key points, faces and drawing. Images, errors and addresses are
 * as in Native.
 */
final class NativeVision {
  static {
    Native.load();
  }

  private NativeVision() {}

  /** A segmenter, a detector of key points or an embedder; `normalize` counts for the last alone. */
  static native long create(int kind, long model, byte[][] options, boolean normalize);

  static native long open(int kind, byte[] uri, byte[][] options, boolean normalize);

  /**
   * Four objects for each image: int[] of status, width, height and the index of each area; byte[] of the labels;
   * double[] of pixels and part of each area; byte[][] of the names of the areas. `minScore` is null for none. With
   * `messages`, a list.
   */
  static native Object[] segment(long segmenter, int source, Object[] images, int[] sizes, float[] minScore,
      boolean smooth, byte[][] messages);

  static native long submitSegment(long segmenter, int source, byte[] image, int[] size, float[] minScore,
      boolean smooth, int priority, long timeout);

  /** As segment() of one image. */
  static native Object[] takeSegmentation(long request);

  /**
   * Of the objects in boxes (null: one that fills the image), or of those that `objects`, an ObjectDetector, finds if
   * it is not 0. The result is int[] of the number of points of each object, float[] and the names of all points. The
   * floats are the box and the score of each object, and x, y and score of each of its points.
   */
  static native Object[] keypoints(long detector, int source, byte[] image, int[] size, float[] boxes, long objects,
      float boxScale, boolean quarter, byte[][] classes, float threshold, int most);

  /** `landmarks`: null, or the ten numbers of each face of the one image. The result has a vector for each. */
  static native Object[] embed(long embedder, int source, byte[] image, int[] size, float[] landmarks);

  /** A vector for each image, null of one that was wrong. The statuses go to `statuses`. */
  static native Object[] embedList(long embedder, int source, Object[] images, int[] sizes, int[] statuses,
      byte[][] messages);

  /** The pixels of a face, as many channels as the image has. */
  static native byte[] alignFace(byte[] image, int[] size, float[] landmarks, int side);

  static native float[] faceTemplate(int side);

  static native float[] normalize(float[] vector);

  static native float cosineSimilarity(float[] a, float[] b);

  /**
   * RGB pixels. `detections` are index, score, box, number of landmarks and landmarks, one after another. `drawing` is
   * line width, scale of texts, labels and scores, `colors` has RGB.
   */
  static native byte[] draw(byte[] image, int[] size, float[] detections, byte[][] labels, float[] drawing,
      int[] colors);

  static native byte[] drawPoints(byte[] image, int[] size, float[] points, float[] drawing, int[] colors);

  static native byte[] drawSkeleton(byte[] image, int[] size, float[] points, int[] limbs, float[] drawing,
      int[] colors);

  static native byte[] blendLabels(byte[] image, int[] size, byte[] labels, int width, int height, float opacity,
      int background, int[] colors);
}
