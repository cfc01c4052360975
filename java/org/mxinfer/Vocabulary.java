package org.mxinfer;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * The words (or subwords, or characters) that a network knows, each with its number, the id.
 *
 * <pre>{@code
 * Vocabulary vocabulary = Vocabulary.load(Path.of("vocab.json"));
 * int id = vocabulary.id("pleasant");  // or that of the unknown token
 * String word = vocabulary.word(id);
 * }</pre>
 *
 * <p>A vocabulary never changes, and any thread may use it. Objects that were made with it continue to work when it is
 * closed. After {@link #close()} its functions throw {@link IllegalStateException}.
 */
public final class Vocabulary implements AutoCloseable {
  private final NativeHandle handle;

  Vocabulary(long address) {
    handle = new NativeHandle(this, "Vocabulary", address, NativeText::freeVocabulary);
  }

  /**
   * Makes a vocabulary from a list of words.
   *
   * @param words the first has the id 0; if a word is empty, its id has no word
   * @param options the special tokens; the format is ignored
   * @return the vocabulary
   * @throws InvalidArgumentException if two words are equal, or a special token is not one of them
   */
  public static Vocabulary of(List<String> words, VocabularyOptions options) {
    byte[][] texts = Text.utf8(words, "words");
    return new Vocabulary(NativeText.vocabularyOf(texts, Objects.requireNonNull(options, "options").tokens));
  }

  /**
   * Reads a file.
   *
   * @param uri a path or an address
   * @param options the format and the special tokens
   * @return the vocabulary
   * @throws MxinferException NOT_FOUND; MALFORMED: a file of unknown format or without a word, two words with one id,
   *     one word with two ids; INVALID_ARGUMENT: a special token that is not one of the words
   */
  public static Vocabulary load(String uri, VocabularyOptions options) {
    byte[] place = Text.utf8(uri, "uri");
    Objects.requireNonNull(options, "options");
    return new Vocabulary(NativeText.loadVocabulary(place, options.format.ordinal(), options.tokens));
  }

  /**
   * Reads a file with default options.
   *
   * @param path a local file
   * @return the vocabulary
   * @throws MxinferException as {@link #load(String, VocabularyOptions)}
   */
  public static Vocabulary load(Path path) {
    return load(path, VocabularyOptions.DEFAULT);
  }

  /**
   * Reads a file.
   *
   * @param path a local file
   * @param options the format and the special tokens
   * @return the vocabulary
   * @throws MxinferException as {@link #load(String, VocabularyOptions)}
   */
  public static Vocabulary load(Path path, VocabularyOptions options) {
    byte[] place = Text.utf8(path, "path");
    Objects.requireNonNull(options, "options");
    return new Vocabulary(NativeText.loadVocabulary(place, options.format.ordinal(), options.tokens));
  }

  /**
   * Reads the contents of a file.
   *
   * @param contents the contents, which are not needed afterwards
   * @param options the format and the special tokens
   * @return the vocabulary
   * @throws MxinferException as {@link #load(String, VocabularyOptions)}
   */
  public static Vocabulary parse(byte[] contents, VocabularyOptions options) {
    Objects.requireNonNull(contents, "contents");
    Objects.requireNonNull(options, "options");
    return new Vocabulary(NativeText.parseVocabulary(contents, options.format.ordinal(), options.tokens));
  }

  /**
   * Returns the largest id plus 1.
   *
   * @return how many ids there are
   */
  public int size() {
    return handle.with(NativeText::vocabularySize);
  }

  /**
   * Tells whether there are no words.
   *
   * @return true if the size is 0
   */
  public boolean isEmpty() {
    return size() == 0;
  }

  /**
   * Returns the id of a word.
   *
   * @param word the word
   * @return the id; empty if the word is not in the vocabulary
   */
  public OptionalInt find(String word) {
    byte[] text = Text.utf8(word, "word");
    return optional(handle.with(address -> NativeText.findWord(address, text)));
  }

  /**
   * Returns the id of a word, or of the unknown token if the word is not in the vocabulary.
   *
   * @param word the word
   * @return the id
   * @throws InvalidArgumentException if the word is not in the vocabulary, and there is no unknown token
   */
  public int id(String word) {
    return ids(List.of(Objects.requireNonNull(word, "word")))[0];
  }

  /**
   * Returns the ids of words.
   *
   * @param words the words
   * @return one for each, as {@link #id} returns it
   * @throws InvalidArgumentException as {@link #id}
   */
  public int[] ids(List<String> words) {
    byte[][] texts = Text.utf8(words, "words");
    return handle.with(address -> NativeText.idsOf(address, texts));
  }

  /**
   * Returns the word of an id.
   *
   * @param id from 0 to {@link #size()} - 1
   * @return the word; "" if the id has no word
   * @throws InvalidArgumentException for any other id
   */
  public String word(int id) {
    return words(id).get(0);
  }

  /**
   * Returns the words of ids.
   *
   * @param ids each from 0 to {@link #size()} - 1
   * @return one for each
   * @throws InvalidArgumentException for any other id
   */
  public List<String> words(int... ids) {
    Objects.requireNonNull(ids, "ids");
    return Text.listOf(handle.with(address -> NativeText.wordsOf(address, ids)));
  }

  private static OptionalInt optional(int id) {
    return id < 0 ? OptionalInt.empty() : OptionalInt.of(id);
  }

  private OptionalInt special(int index) {
    return optional(handle.with(NativeText::specialIds)[index]);
  }

  /**
   * Returns the id of the unknown token.
   *
   * @return empty if there is none
   */
  public OptionalInt unknownId() {
    return special(0);
  }

  /**
   * Returns the id of the padding token.
   *
   * @return empty if there is none
   */
  public OptionalInt paddingId() {
    return special(1);
  }

  /**
   * Returns the id of the token that begins sequences.
   *
   * @return empty if there is none
   */
  public OptionalInt beginId() {
    return special(2);
  }

  /**
   * Returns the id of the token that ends sequences.
   *
   * @return empty if there is none
   */
  public OptionalInt endId() {
    return special(3);
  }

  /**
   * Returns the vocabulary as {@code gluonnlp.Vocab.from_json} reads it.
   *
   * @return JSON
   * @throws InvalidArgumentException if nearly all ids have no word: the format lists each of them
   */
  public String toJson() {
    return Text.of(handle.with(NativeText::vocabularyJson));
  }

  /** Frees it when the last call that uses it has ended. You may call it again. */
  @Override
  public void close() {
    handle.close();
  }

  <T> T with(java.util.function.LongFunction<T> function) {
    return handle.with(function);
  }

  /** Calls with the address of a vocabulary, 0 of none. */
  static <T> T withOptional(Vocabulary vocabulary, java.util.function.LongFunction<T> function) {
    return vocabulary == null ? function.apply(0) : vocabulary.with(function);
  }
}
