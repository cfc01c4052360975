package org.mxinfer;

import java.util.List;

/**
 * What became of everything that a network gave for an image: for the question why an object is missing. Each candidate, a
 * row that stands for an object, was given or is counted once, by the first of the functions below that applies to it.
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
   * Gives the objects, as the functions that detect do.
   *
   * @return the objects, by falling score
   */
  public List<Detection> detections() {
    return detections;
  }

  /**
   * Counts the rows of the network's outputs.
   *
   * @return how many, with those that stand for nothing
   */
  public long rows() {
    return counts[0];
  }

  /**
   * Counts the rows that stand for an object.
   *
   * @return how many
   */
  public long candidates() {
    return counts[1];
  }

  /**
   * Counts those whose score is not a number.
   *
   * @return how many
   */
  public long nanScores() {
    return counts[2];
  }

  /**
   * Counts those of classes that were not asked for.
   *
   * @return how many
   */
  public long otherClasses() {
    return counts[3];
  }

  /**
   * Counts those that score too little.
   *
   * @return how many
   */
  public long belowThreshold() {
    return counts[4];
  }

  /**
   * Counts those of whose box a coordinate is not a number, or infinite.
   *
   * @return how many
   */
  public long nanBoxes() {
    return counts[5];
  }

  /**
   * Counts those whose box has no area.
   *
   * @return how many
   */
  public long emptyBoxes() {
    return counts[6];
  }

  /**
   * Counts those of whose box no part is in the image.
   *
   * @return how many
   */
  public long outside() {
    return counts[7];
  }

  /**
   * Counts those that better ones suppressed.
   *
   * @return how many
   */
  public long suppressed() {
    return counts[8];
  }

  /**
   * Counts those that were more than asked for.
   *
   * @return how many
   */
  public long beyondMost() {
    return counts[9];
  }

  /**
   * Counts the scores of the candidates of wanted classes.
   *
   * @return ten numbers: below 0.1, of 0.1 to 0.2, ..., of 0.9 and more
   */
  public long[] histogram() {
    return java.util.Arrays.copyOfRange(counts, 10, 20);
  }

  /**
   * Gives the best score of each class that has candidates.
   *
   * @return by falling score
   */
  public List<Classification> best() {
    return best;
  }

  /**
   * All of it as a sentence.
   *
   * @return such as "0 of 3 candidates are left: 3 score too little (the best of them 0.31, 'dog'; wanted 0.5)"
   */
  @Override
  public String toString() {
    return text;
  }
}
