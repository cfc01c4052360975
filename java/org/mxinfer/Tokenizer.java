package org.mxinfer;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * Splits a text into tokens (words, subwords or characters), and returns their ids.
 *
 * <pre>{@code
 * Tokenizer tokenizer = Tokenizer.wordpiece(vocabulary, WordPieceOptions.DEFAULT);
 * List<String> tokens = tokenizer.tokens("unaffable");  // una, ##ffa, ##ble
 * int[] ids = tokenizer.ids("unaffable");
 * }</pre>
 *
 * <p>A tokenizer never changes, and any thread may use it. Objects that were made with it continue to work when it is
 * closed. After {@link #close()} its functions throw {@link IllegalStateException}.
 */
public final class Tokenizer implements AutoCloseable {
  private final NativeHandle handle;

  private Tokenizer(long address) {
    handle = new NativeHandle(this, "Tokenizer", address, NativeText::freeTokenizer);
  }

  private static Tokenizer of(TextOptions.Tokenizer kind, Vocabulary vocabulary, WordPieceOptions options) {
    byte[] prefix = Text.utf8(options.prefix, "prefix");
    return Vocabulary.withOptional(vocabulary, address -> new Tokenizer(NativeText.tokenizerOf(kind.ordinal(), address,
        options.lower, options.basic, options.maxWordLength, prefix)));
  }

  /**
   * Makes a tokenizer that splits at white space. It has no vocabulary: there are tokens but no ids.
   *
   * @param lower whether texts are lower-cased first
   * @return the tokenizer
   */
  public static Tokenizer whitespace(boolean lower) {
    return of(TextOptions.Tokenizer.WHITESPACE, null, WordPieceOptions.DEFAULT.withLower(lower));
  }

  /**
   * Makes a tokenizer that splits at white space.
   *
   * @param vocabulary for the ids
   * @param lower whether texts are lower-cased first
   * @return the tokenizer
   */
  public static Tokenizer whitespace(Vocabulary vocabulary, boolean lower) {
    Objects.requireNonNull(vocabulary, "vocabulary");
    return of(TextOptions.Tokenizer.WHITESPACE, vocabulary, WordPieceOptions.DEFAULT.withLower(lower));
  }

  /**
   * Makes a tokenizer whose tokens are the characters, white space included.
   *
   * @param vocabulary for the ids
   * @param lower whether texts are lower-cased first
   * @return the tokenizer
   */
  public static Tokenizer characters(Vocabulary vocabulary, boolean lower) {
    Objects.requireNonNull(vocabulary, "vocabulary");
    return of(TextOptions.Tokenizer.CHARACTERS, vocabulary, WordPieceOptions.DEFAULT.withLower(lower));
  }

  /**
   * Makes BERT's basic tokenizer: words, punctuation and CJK characters one by one. Accents are removed.
   *
   * @param vocabulary for the ids
   * @param lower whether texts are lower-cased first
   * @return the tokenizer
   */
  public static Tokenizer basic(Vocabulary vocabulary, boolean lower) {
    Objects.requireNonNull(vocabulary, "vocabulary");
    return of(TextOptions.Tokenizer.BASIC, vocabulary, WordPieceOptions.DEFAULT.withLower(lower));
  }

  /**
   * Makes BERT's tokenizer, which splits each word, from the left, into the longest pieces that are in the vocabulary.
   * A word that cannot be split, or is too long, becomes the unknown token.
   *
   * @param vocabulary the pieces
   * @param options how texts are split
   * @return the tokenizer
   * @throws InvalidArgumentException if the vocabulary has no unknown token, or the length of words is out of range
   */
  public static Tokenizer wordpiece(Vocabulary vocabulary, WordPieceOptions options) {
    Objects.requireNonNull(vocabulary, "vocabulary");
    return of(TextOptions.Tokenizer.WORDPIECE, vocabulary, Objects.requireNonNull(options, "options"));
  }

  /**
   * Reads a model of SentencePiece, unigram or BPE.
   *
   * @param uri the path or address of its .model file
   * @return the tokenizer
   * @throws MxinferException NOT_FOUND, MALFORMED; UNSUPPORTED: a build without SentencePiece
   */
  public static Tokenizer sentencepiece(String uri) {
    return new Tokenizer(NativeText.loadSentencePiece(Text.utf8(uri, "uri")));
  }

  /**
   * Reads a model of SentencePiece, unigram or BPE.
   *
   * @param path its .model file
   * @return the tokenizer
   * @throws MxinferException as {@link #sentencepiece(String)}
   */
  public static Tokenizer sentencepiece(Path path) {
    return new Tokenizer(NativeText.loadSentencePiece(Text.utf8(path, "path")));
  }

  /**
   * Reads a model of SentencePiece, unigram or BPE.
   *
   * @param model the contents of its .model file, which are not needed afterwards
   * @return the tokenizer
   * @throws MxinferException as {@link #sentencepiece(String)}
   */
  public static Tokenizer sentencepiece(byte[] model) {
    return new Tokenizer(NativeText.parseSentencePiece(Objects.requireNonNull(model, "model")));
  }

  /**
   * Splits a text.
   *
   * @param text the text
   * @return the tokens in order; none for an empty text
   */
  public List<String> tokens(String text) {
    byte[] utf8 = Text.utf8(text, "text");
    return Text.listOf(handle.with(address -> NativeText.tokens(address, utf8)));
  }

  /**
   * Returns the ids of a text's tokens.
   *
   * @param text the text
   * @return one for each token
   * @throws InvalidArgumentException if there is no vocabulary, or if a token is not in it and it has no unknown token
   */
  public int[] ids(String text) {
    byte[] utf8 = Text.utf8(text, "text");
    return handle.with(address -> NativeText.ids(address, utf8));
  }

  /**
   * Returns the text of ids: words are joined by spaces, and subwords without spaces. The vocabulary's padding, begin
   * and end tokens are left out.
   *
   * @param ids the ids
   * @return the text
   * @throws InvalidArgumentException for an id that is not in the vocabulary
   */
  public String text(int... ids) {
    Objects.requireNonNull(ids, "ids");
    return Text.of(handle.with(address -> NativeText.text(address, ids)));
  }

  /**
   * Returns the vocabulary: the one that it was made with, or the pieces of SentencePiece.
   *
   * @return a new handle of the vocabulary; close it; an empty one if there is none
   */
  public Vocabulary vocabulary() {
    return handle.with(address -> new Vocabulary(NativeText.vocabularyOfTokenizer(address)));
  }

  /** Frees it when the last call that uses it has ended. You may call it again. */
  @Override
  public void close() {
    handle.close();
  }

  /** Calls with the address of a tokenizer, 0 of none. */
  static <T> T withOptional(Tokenizer tokenizer, java.util.function.LongFunction<T> function) {
    return tokenizer == null ? function.apply(0) : tokenizer.handle.with(function);
  }
}
