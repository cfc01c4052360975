package org.mxinfer;

/** One class of one sample, and its score. Never changes. */
public final class Classification {
  private final String label;
  private final float score;
  private final int index;

  Classification(String label, float score, int index) {
    this.label = label;
    this.score = score;
    this.index = index;
  }

  /**
   * Returns the class.
   *
   * @return its name; its index as text if the model has no labels
   */
  public String label() {
    return label;
  }

  /**
   * Returns the score.
   *
   * @return the model's score, after the option "activation"
   */
  public float score() {
    return score;
  }

  /**
   * Returns the position of the class in the model's output.
   *
   * @return the position, from 0
   */
  public int index() {
    return index;
  }

  /**
   * Returns class and score as text.
   *
   * @return such as "seven 0.998"
   */
  @Override
  public String toString() {
    return label + " " + score;
  }
}
