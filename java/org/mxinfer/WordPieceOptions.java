package org.mxinfer;

import java.util.Objects;

/** How BERT's tokenizer splits texts. Never changes; each {@code with} returns another. */
public final class WordPieceOptions {
  /** As GluonNLP's BERTTokenizer: lower-cased, words of up to 200 characters, pieces with "##". */
  public static final WordPieceOptions DEFAULT = new WordPieceOptions(true, true, 200, "##");

  final boolean basic;
  final boolean lower;
  final int maxWordLength;
  final String prefix;

  private WordPieceOptions(boolean basic, boolean lower, int maxWordLength, String prefix) {
    this.basic = basic;
    this.lower = lower;
    this.maxWordLength = maxWordLength;
    this.prefix = prefix;
  }

  /**
   * Sets how a text is first split into words.
   *
   * @param basic true: by BERT's basic tokenizer; false: only at white space
   * @return the new options
   */
  public WordPieceOptions withBasic(boolean basic) {
    return new WordPieceOptions(basic, lower, maxWordLength, prefix);
  }

  /**
   * Sets whether texts are lower-cased.
   *
   * @param lower whether they are
   * @return the new options
   */
  public WordPieceOptions withLower(boolean lower) {
    return new WordPieceOptions(basic, lower, maxWordLength, prefix);
  }

  /**
   * Sets how long a word may be. A longer one is the unknown token.
   *
   * @param characters 1 to 4096
   * @return the new options
   */
  public WordPieceOptions withMaxWordLength(int characters) {
    return new WordPieceOptions(basic, lower, characters, prefix);
  }

  /**
   * Sets the prefix of a piece that continues a word.
   *
   * @param prefix such as "##"
   * @return the new options
   */
  public WordPieceOptions withPrefix(String prefix) {
    return new WordPieceOptions(basic, lower, maxWordLength, Objects.requireNonNull(prefix, "prefix"));
  }
}
