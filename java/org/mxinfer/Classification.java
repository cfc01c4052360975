package org.mxinfer;

/** One class of one sample, and how much the model thinks it is that. Never changes. */
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
   * Tells the class.
   *
   * @return its name; its index as text if the model has no labels
   */
  public String label() {
    return label;
  }

  /**
   * Tells the score.
   *
   * @return as the model gives it, or behind the option "activation"
   */
  public float score() {
    return score;
  }

  /**
   * Tells where the class is in the model's output.
   *
   * @return the position, from 0
   */
  public int index() {
    return index;
  }

  /**
   * Class and score as text.
   *
   * @return such as "seven 0.998"
   */
  @Override
  public String toString() {
    return label + " " + score;
  }
}
