package org.mxinfer;

import java.util.Objects;

/**
 * How a {@link Vocabulary} is read, and its special tokens. A token that you do not set is the one in the file, if the
 * file names it; otherwise there is none. Never changes; each {@code with} returns another.
 */
public final class VocabularyOptions {
  /** The format of a vocabulary file. */
  public enum Format {
    /** By its contents. */
    AUTOMATIC,
    /** What {@code gluonnlp.Vocab.to_json()} writes, or {"word": id, ...}. */
    GLUONNLP_JSON,
    /** Lines "word index" or "index word"; ids may have gaps. */
    WORD_INDEX,
    /** One word per line, the first with the id 0, such as BERT's vocab.txt. */
    WORDS
  }

  /** Nothing is set. */
  public static final VocabularyOptions DEFAULT = new VocabularyOptions(Format.AUTOMATIC, new byte[4][]);

  final Format format;
  /** The unknown, padding, begin and end token; null: not set. */
  final byte[][] tokens;

  private VocabularyOptions(Format format, byte[][] tokens) {
    this.format = format;
    this.tokens = tokens;
  }

  private VocabularyOptions with(int index, String token) {
    byte[][] copy = tokens.clone();
    copy[index] = Text.utf8(token, "token");
    return new VocabularyOptions(format, copy);
  }

  /**
   * Sets the format of the file.
   *
   * @param format the format
   * @return the new options
   */
  public VocabularyOptions withFormat(Format format) {
    return new VocabularyOptions(Objects.requireNonNull(format, "format"), tokens);
  }

  /**
   * Sets the token that replaces every word that is not in the vocabulary.
   *
   * @param token one of the words
   * @return the new options
   */
  public VocabularyOptions withUnknown(String token) {
    return with(0, token);
  }

  /**
   * Sets the token that pads sequences.
   *
   * @param token one of the words
   * @return the new options
   */
  public VocabularyOptions withPadding(String token) {
    return with(1, token);
  }

  /**
   * Sets the token that begins sequences.
   *
   * @param token one of the words
   * @return the new options
   */
  public VocabularyOptions withBegin(String token) {
    return with(2, token);
  }

  /**
   * Sets the token that ends sequences.
   *
   * @param token one of the words
   * @return the new options
   */
  public VocabularyOptions withEnd(String token) {
    return with(3, token);
  }
}
