package org.mxinfer;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A vector for each word of a vocabulary, as GloVe, word2vec and fastText write them. Use them to find similar words.
 *
 * <pre>{@code
 * WordVectors vectors = WordVectors.load(Path.of("glove.6B.50d.txt"));
 * for (NearWord near : vectors.nearest("king", 10, NearestOptions.DEFAULT)) System.out.println(near);
 * String queen = vectors.analogy("man", "king", "woman", 1, NearestOptions.DEFAULT).get(0).word();
 * }</pre>
 *
 * <p>Two words are compared by the cosine of their vectors, -1 to 1. A vector of zeros, or one with a number that is
 * not finite, has no direction: its cosine is 0, and it is not near any word.
 *
 * <p>Word vectors never change, and any thread may use them. After {@link #close()} their functions throw {@link
 * IllegalStateException}.
 */
public final class WordVectors implements AutoCloseable {
  private final NativeHandle handle;

  private WordVectors(long address) {
    handle = new NativeHandle(this, "WordVectors", address, NativeText::freeVectors);
  }

  /**
   * Makes word vectors from a vocabulary and a matrix.
   *
   * @param vocabulary the words of the rows, which may be closed afterwards
   * @param matrix (rows, dimensions), float32; row i belongs to the word with the id i; copied
   * @param threads for searches; 0: one for each core
   * @return the vectors
   * @throws InvalidArgumentException another shape or dtype, more words than rows
   */
  public static WordVectors of(Vocabulary vocabulary, Tensor matrix, int threads) {
    Objects.requireNonNull(vocabulary, "vocabulary");
    TensorArgs.requireReadable(Objects.requireNonNull(matrix, "matrix"));
    return vocabulary.with(address -> new WordVectors(NativeText.vectorsOf(address, matrix.data(),
        matrix.dtype().ordinal(), matrix.shape().sizes(), threads)));
  }

  /**
   * Reads a file. A word that occurs twice keeps its first vector, and a word that is not UTF-8 is left out.
   *
   * @param uri a path or an address
   * @param options the format, and what the file leaves open
   * @return the vectors
   * @throws MxinferException NOT_FOUND; MALFORMED: a file of unknown format, lines of different lengths, numbers that
   *     are not finite; INVALID_ARGUMENT: a vocabulary that is missing or has more words than there are rows, an array
   *     that is missing or not a matrix
   */
  public static WordVectors load(String uri, WordVectorsOptions options) {
    return load(Text.utf8(uri, "uri"), options);
  }

  /**
   * Reads a file with default options.
   *
   * @param path a local file
   * @return the vectors
   * @throws MxinferException as {@link #load(String, WordVectorsOptions)}
   */
  public static WordVectors load(Path path) {
    return load(path, WordVectorsOptions.DEFAULT);
  }

  /**
   * Reads a file.
   *
   * @param path a local file
   * @param options the format, and what the file leaves open
   * @return the vectors
   * @throws MxinferException as {@link #load(String, WordVectorsOptions)}
   */
  public static WordVectors load(Path path, WordVectorsOptions options) {
    return load(Text.utf8(path, "path"), options);
  }

  private static WordVectors load(byte[] place, WordVectorsOptions options) {
    Objects.requireNonNull(options, "options");
    return Vocabulary.withOptional(options.vocabulary, address -> new WordVectors(NativeText.loadVectors(place,
        options.format.ordinal(), address, options.array, options.unknown, options.readAtOnce, options.threads)));
  }

  /**
   * Reads the contents of a file.
   *
   * @param contents the contents, which are not needed afterwards
   * @param options the format, and what the file leaves open
   * @return the vectors
   * @throws MxinferException as {@link #load(String, WordVectorsOptions)}
   */
  public static WordVectors parse(byte[] contents, WordVectorsOptions options) {
    Objects.requireNonNull(contents, "contents");
    Objects.requireNonNull(options, "options");
    return Vocabulary.withOptional(options.vocabulary, address -> new WordVectors(NativeText.parseVectors(contents,
        options.format.ordinal(), address, options.array, options.unknown, options.readAtOnce, options.threads)));
  }

  /**
   * Returns the words.
   *
   * @return a new handle of the vocabulary; close it
   */
  public Vocabulary vocabulary() {
    return handle.with(address -> new Vocabulary(NativeText.vocabularyOfVectors(address)));
  }

  /**
   * Returns how many numbers a vector has.
   *
   * @return their number
   */
  public long dimensions() {
    return handle.with(NativeText::vectorsInfo)[1];
  }

  /**
   * Returns how many words of a text or word2vec file were skipped: repeated words, and words that are not UTF-8.
   *
   * @return their number
   */
  public long skipped() {
    return handle.with(NativeText::vectorsInfo)[2];
  }

  /**
   * Returns all vectors.
   *
   * @return (rows, dimensions), float32; a copy
   * @throws InvalidArgumentException if they have more than 2^31 - 1 bytes: take some with {@link #rows(int...)}
   */
  public Tensor matrix() {
    return handle.with(address -> {
      long[] info = NativeText.vectorsInfo(address);
      Tensor copy = Tensor.allocate(DType.FLOAT32, info[0], info[1]);
      NativeText.copyRows(address, null, copy.data());
      return copy;
    });
  }

  /**
   * Returns the vector of a word, or of the unknown token if the word is not in the vocabulary.
   *
   * @param word the word
   * @return a copy
   * @throws InvalidArgumentException if the word is not in the vocabulary, and there is no unknown token
   */
  public float[] vector(String word) {
    byte[] text = Text.utf8(word, "word");
    return handle.with(address -> NativeText.vectorOfWord(address, text));
  }

  /**
   * Returns the vector of an id.
   *
   * @param id the row
   * @return a copy
   * @throws InvalidArgumentException for an id without a row
   */
  public float[] vector(int id) {
    return handle.with(address -> NativeText.vectorOfId(address, id));
  }

  /**
   * Returns a row for each id.
   *
   * @param ids the ids
   * @return (ids, dimensions), float32
   * @throws InvalidArgumentException for an id without a row
   */
  public Tensor rows(int... ids) {
    Objects.requireNonNull(ids, "ids");
    return handle.with(address -> {
      Tensor rows = Tensor.allocate(DType.FLOAT32, ids.length, NativeText.vectorsInfo(address)[1]);
      NativeText.copyRows(address, ids, rows.data());
      return rows;
    });
  }

  /**
   * Returns a row for each word.
   *
   * @param words the words
   * @return (words, dimensions), float32
   * @throws InvalidArgumentException as {@link #vector(String)}
   */
  public Tensor rows(List<String> words) {
    try (Vocabulary vocabulary = vocabulary()) {
      return rows(vocabulary.ids(words));
    }
  }

  /**
   * Returns the cosine of two words.
   *
   * @param a a word
   * @param b another
   * @return -1 to 1
   * @throws MxinferException NOT_FOUND for a word that is not in the vocabulary; the message lists words with a similar
   *     spelling
   */
  public float similarity(String a, String b) {
    byte[] first = Text.utf8(a, "a");
    byte[] second = Text.utf8(b, "b");
    return handle.with(address -> NativeText.similarity(address, first, second));
  }

  /**
   * Returns the words nearest to a word.
   *
   * @param word the word
   * @param k how many, at least 1
   * @param options which words to return
   * @return best first, equal ones in ascending order of id; fewer if there are no more
   * @throws MxinferException NOT_FOUND as {@link #similarity}; INVALID_ARGUMENT: k below 1
   */
  public List<NearWord> nearest(String word, int k, NearestOptions options) {
    return nearest(new byte[][] {Text.utf8(word, "word")}, null, k, options);
  }

  /**
   * Returns the words nearest to a vector.
   *
   * @param vector as many numbers as {@link #dimensions()}
   * @param k how many, at least 1
   * @param options which words to return
   * @return best first, equal ones in ascending order of id; fewer if there are no more
   * @throws InvalidArgumentException another number of elements, an element that is not finite, k below 1
   */
  public List<NearWord> nearest(float[] vector, int k, NearestOptions options) {
    return nearest(null, Objects.requireNonNull(vector, "vector"), k, options);
  }

  /**
   * Returns what is to c as b is to a: the words nearest to b - a + c, each vector of length 1.
   *
   * @param a such as "man"
   * @param b such as "king"
   * @param c such as "woman"
   * @param k how many, at least 1
   * @param options which words to return
   * @return the best first, such as "queen"
   * @throws MxinferException as {@link #nearest(String, int, NearestOptions)}
   */
  public List<NearWord> analogy(String a, String b, String c, int k, NearestOptions options) {
    return nearest(new byte[][] {Text.utf8(a, "a"), Text.utf8(b, "b"), Text.utf8(c, "c")}, null, k, options);
  }

  private List<NearWord> nearest(byte[][] words, float[] vector, int k, NearestOptions options) {
    Objects.requireNonNull(options, "options");
    Object[] found = handle.with(address -> NativeText.nearest(address, words, vector, k, options.minScore,
        options.first, options.includeGiven));
    byte[][] texts = (byte[][]) found[0];
    float[] scores = (float[]) found[1];
    int[] ids = (int[]) found[2];
    List<NearWord> near = new ArrayList<>();
    for (int i = 0; i < ids.length; i++) {
      near.add(new NearWord(Text.of(texts[i]), scores[i], ids[i]));
    }
    return List.copyOf(near);
  }

  /** Frees them when the last call that uses them has ended. You may call it again. */
  @Override
  public void close() {
    handle.close();
  }
}
