package org.mxinfer;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;

/**
 * How texts become the inputs of a network. What you do not set comes from the model's file, or else is the default
 * that each function names. Never changes; each {@code with} returns another.
 *
 * <pre>{@code
 * TextOptions bert = TextOptions.DEFAULT.withTokenizer(TextOptions.Tokenizer.WORDPIECE, Path.of("vocab.txt"))
 *     .withUnknown("[UNK]").withBegin("[CLS]").withEnd("[SEP]");
 * }</pre>
 */
public final class TextOptions {
  /** How a text is split into tokens. */
  public enum Tokenizer {
    /** At white space. */
    WHITESPACE,
    /** One token for each character. */
    CHARACTERS,
    /** BERT's basic tokenizer: words, punctuation and CJK characters one by one. */
    BASIC,
    /** BERT's WordPiece: the longest pieces of each word that are in the vocabulary. */
    WORDPIECE,
    /** A model of SentencePiece. */
    SENTENCEPIECE
  }

  /** An end of a text. */
  public enum Side {
    /** Its beginning. */
    LEFT,
    /** Its end. */
    RIGHT
  }

  /** What happens to a text longer than the largest bucket. */
  public enum TooLong {
    /** It loses what does not fit. */
    TRUNCATE,
    /** It is an error. */
    ERROR
  }

  /** Nothing is set, as for a model that takes texts by itself. */
  public static final TextOptions DEFAULT =
      new TextOptions(new byte[Native.TEXT_OPTIONS][], new long[0], null, 0, 0, null);

  /** By the numbers in Native; null: not set. */
  final byte[][] texts;
  final long[] buckets;
  /** Null: not set; otherwise of one number. */
  final double[] padValue;
  /** As mxinfer_text_options has it. */
  final int lower;
  /** 0: not set. */
  final int maxBatch;
  /** Null: none, or that of the texts. */
  final org.mxinfer.Tokenizer ready;

  private TextOptions(byte[][] texts, long[] buckets, double[] padValue, int lower, int maxBatch,
      org.mxinfer.Tokenizer ready) {
    this.texts = texts;
    this.buckets = buckets;
    this.padValue = padValue;
    this.lower = lower;
    this.maxBatch = maxBatch;
    this.ready = ready;
  }

  private TextOptions with(int index, byte[] text) {
    byte[][] copy = texts.clone();
    copy[index] = text;
    return new TextOptions(copy, buckets, padValue, lower, maxBatch, ready);
  }

  private TextOptions with(int index, Enum<?> value) {
    return with(index, Text.utf8(value.name().toLowerCase(Locale.ROOT), "value"));
  }

  /**
   * Sets the tokenizer, for a model that does not take texts itself.
   *
   * @param tokenizer the kind
   * @param vocabulary path or address of the vocabulary (GluonNLP's JSON, pairs, or one word per line), or for
   *     SENTENCEPIECE of the .model file
   * @return the new options
   */
  public TextOptions withTokenizer(Tokenizer tokenizer, String vocabulary) {
    Objects.requireNonNull(tokenizer, "tokenizer");
    return with(Native.TOKENIZER, tokenizer).with(Native.VOCABULARY, Text.utf8(vocabulary, "vocabulary"));
  }

  /**
   * Sets the tokenizer, for a model that does not take texts itself.
   *
   * @param tokenizer the kind
   * @param vocabulary the vocabulary (GluonNLP's JSON, pairs, or one word per line), or for SENTENCEPIECE the .model
   *     file
   * @return the new options
   */
  public TextOptions withTokenizer(Tokenizer tokenizer, Path vocabulary) {
    Objects.requireNonNull(tokenizer, "tokenizer");
    return with(Native.TOKENIZER, tokenizer).with(Native.VOCABULARY, Text.utf8(vocabulary, "vocabulary"));
  }

  /**
   * Sets the tokenizer, for a model that does not take texts itself. It determines the unknown token and whether texts
   * are lower-cased, so you cannot combine it with {@link #withUnknown} and {@link #withLower}.
   *
   * @param tokenizer one with a vocabulary, do not close it before the classifier is made
   * @return the new options
   */
  public TextOptions withTokenizer(org.mxinfer.Tokenizer tokenizer) {
    return new TextOptions(texts, buckets, padValue, lower, maxBatch, Objects.requireNonNull(tokenizer, "tokenizer"));
  }

  /**
   * Sets the token for words that are not in the vocabulary. The default is the one that its file names.
   *
   * @param token one of its words
   * @return the new options
   */
  public TextOptions withUnknown(String token) {
    return with(Native.UNKNOWN, Text.utf8(token, "token"));
  }

  /**
   * Sets whether texts are lower-cased before they are split. By default, only BASIC and WORDPIECE do this.
   *
   * @param value whether they are
   * @return the new options
   */
  public TextOptions withLower(boolean value) {
    return new TextOptions(texts, buckets, padValue, value ? 1 : -1, maxBatch, ready);
  }

  /**
   * Sets a token before each text, such as "[CLS]". The default is none.
   *
   * @param token one of the vocabulary's words
   * @return the new options
   */
  public TextOptions withBegin(String token) {
    return with(Native.BEGIN, Text.utf8(token, "token"));
  }

  /**
   * Sets a token after each text, such as "[SEP]", which also separates the texts of a pair. The default is none.
   *
   * @param token one of the vocabulary's words
   * @return the new options
   */
  public TextOptions withEnd(String token) {
    return with(Native.END, Text.utf8(token, "token"));
  }

  /**
   * Sets the input that takes 0 for each token of the first text of a pair and 1 for those of the second. The default
   * is an input called "token_types" or "segment_ids", if there is one.
   *
   * @param name the input's name
   * @return the new options
   */
  public TextOptions withSegmentInput(String name) {
    return with(Native.SEGMENT_INPUT, Text.utf8(name, "name"));
  }

  /**
   * Sets the input that takes the length of each text. By default, mxinfer finds it by its name, if there is one.
   *
   * @param name the input's name
   * @return the new options
   */
  public TextOptions withLengthInput(String name) {
    return with(Native.LENGTH_INPUT, Text.utf8(name, "name"));
  }

  /**
   * Sets the input that takes the ids. The default is the first that is neither a length nor a state.
   *
   * @param name the input's name
   * @return the new options
   */
  public TextOptions withSequenceInput(String name) {
    return with(Native.SEQUENCE_INPUT, Text.utf8(name, "name"));
  }

  /**
   * Sets the lengths at which texts run: each at the smallest one that it fits into. By default, each runs at its own
   * length.
   *
   * @param lengths in ascending order
   * @return the new options
   */
  public TextOptions withBuckets(long... lengths) {
    return new TextOptions(texts, Objects.requireNonNull(lengths, "lengths").clone(), padValue, lower, maxBatch, ready);
  }

  /**
   * Sets the side of the padding. The default is after the text.
   *
   * @param side the end
   * @return the new options
   */
  public TextOptions withPadSide(Side side) {
    return with(Native.PAD_SIDE, Objects.requireNonNull(side, "side"));
  }

  /**
   * Sets the id of the padding. The default is that of the vocabulary, or 0.
   *
   * @param value the id
   * @return the new options
   */
  public TextOptions withPadValue(double value) {
    return new TextOptions(texts, buckets, new double[] {value}, lower, maxBatch, ready);
  }

  /**
   * Sets the side at which a text that is too long is cut. The default is its end.
   *
   * @param side the end
   * @return the new options
   */
  public TextOptions withTruncateSide(Side side) {
    return with(Native.TRUNCATE_SIDE, Objects.requireNonNull(side, "side"));
  }

  /**
   * Sets what happens to a text longer than the largest bucket. By default, what does not fit is cut off.
   *
   * @param what truncated, or an error
   * @return the new options
   */
  public TextOptions withTooLong(TooLong what) {
    return with(Native.TOO_LONG, Objects.requireNonNull(what, "what"));
  }

  /**
   * Sets the most texts of one bucket that run as one batch. The default is 32.
   *
   * @param texts 1 or more
   * @return the new options
   * @throws InvalidArgumentException a number below 1
   */
  public TextOptions withMaxBatch(int texts) {
    if (texts < 1) {
      throw new InvalidArgumentException("maxBatch is " + texts + "; it is 1 or more");
    }
    return new TextOptions(this.texts, buckets, padValue, lower, texts, ready);
  }
}
