package org.mxinfer;

import java.util.List;

/**
 * Explains why an object is missing: what happened to every row that a network returned for an image. A candidate is a
 * row that stands for an object. Each candidate is either returned, or counted once, by the first of the functions
 * below that applies to it.
 */
public final class DetectReport {
  private final List<Detection> detections;
  private final List<Classification> best;
  private final long[] counts;
  private final String text;

  DetectReport(List<Detection> detections, List<Classification> best, long[] counts, String text) {
    this.detections = detections;
    this.best = best;
    this.counts = counts;
    this.text = text;
  }

  /**
   * Returns the objects, as the functions that detect do.
   *
   * @return the objects, in descending order of score
   */
  public List<Detection> detections() {
    return detections;
  }

  /**
   * Returns how many rows the network's outputs have.
   *
   * @return their number, empty rows included
   */
  public long rows() {
    return counts[0];
  }

  /**
   * Returns how many candidates there are.
   *
   * @return their number
   */
  public long candidates() {
    return counts[1];
  }

  /**
   * Returns how many candidates have a score that is NaN.
   *
   * @return their number
   */
  public long nanScores() {
    return counts[2];
  }

  /**
   * Returns how many candidates are of classes that you did not ask for.
   *
   * @return their number
   */
  public long otherClasses() {
    return counts[3];
  }

  /**
   * Returns how many candidates score too low.
   *
   * @return their number
   */
  public long belowThreshold() {
    return counts[4];
  }

  /**
   * Returns how many candidates have a box with a coordinate that is not finite.
   *
   * @return their number
   */
  public long nanBoxes() {
    return counts[5];
  }

  /**
   * Returns how many candidates have a box without an area.
   *
   * @return their number
   */
  public long emptyBoxes() {
    return counts[6];
  }

  /**
   * Returns how many candidates have a box outside the image.
   *
   * @return their number
   */
  public long outside() {
    return counts[7];
  }

  /**
   * Returns how many candidates were suppressed by better ones.
   *
   * @return their number
   */
  public long suppressed() {
    return counts[8];
  }

  /**
   * Returns how many candidates exceed the most objects that you asked for.
   *
   * @return their number
   */
  public long beyondMost() {
    return counts[9];
  }

  /**
   * Returns a histogram of the scores of candidates of wanted classes.
   *
   * @return ten counts: below 0.1, from 0.1 to 0.2, ..., from 0.9 up
   */
  public long[] histogram() {
    return java.util.Arrays.copyOfRange(counts, 10, 20);
  }

  /**
   * Returns the best score of each class that has candidates.
   *
   * @return in descending order of score
   */
  public List<Classification> best() {
    return best;
  }

  /**
   * Returns all of it as a sentence.
   *
   * @return such as "0 of 3 candidates are left: 3 score too low (the best of them 0.31, 'dog'; the threshold is 0.5)"
   */
  @Override
  public String toString() {
    return text;
  }
}
