package org.mxinfer;

/** A word that is near another. Never changes. */
public final class NearWord {
  private final String word;
  private final float score;
  private final int id;

  NearWord(String word, float score, int id) {
    this.word = word;
    this.score = score;
    this.id = id;
  }

  /**
   * Returns the word.
   *
   * @return the word
   */
  public String word() {
    return word;
  }

  /**
   * Returns how near it is.
   *
   * @return the cosine, -1 to 1
   */
  public float score() {
    return score;
  }

  /**
   * Returns the id of the word.
   *
   * @return its row
   */
  public int id() {
    return id;
  }

  /**
   * Returns word and score as text.
   *
   * @return such as "queen 0.85"
   */
  @Override
  public String toString() {
    return word + " " + score;
  }
}
