package org.mxinfer;

import java.util.Objects;

/** How {@link WordVectors} are read. Never changes; each {@code with} returns another. */
public final class WordVectorsOptions {
  /** The format of a file of word vectors. */
  public enum Format {
    /** By its contents. */
    AUTOMATIC,
    /** One word per line: "king 0.5 -0.7 ...", perhaps after a first line "words dimensions", as GloVe and fastText
     * write it. */
    TEXT,
    /** The binary form of word2vec. */
    WORD2VEC,
    /** What {@code gluonnlp.embedding.TokenEmbedding.serialize()} writes. */
    NPZ,
    /** A matrix of NumPy's, for {@link #withVocabulary}. */
    NPY,
    /** One array of a .params file of MXNet's, for {@link #withVocabulary}. */
    PARAMS
  }

  /** Nothing is set. */
  public static final WordVectorsOptions DEFAULT = new WordVectorsOptions();

  Format format = Format.AUTOMATIC;
  /** Null: not set, as the texts. */
  Vocabulary vocabulary;
  byte[] array;
  byte[] unknown;
  boolean readAtOnce;
  int threads;

  private WordVectorsOptions() {}

  private WordVectorsOptions copy() {
    WordVectorsOptions copy = new WordVectorsOptions();
    copy.format = format;
    copy.vocabulary = vocabulary;
    copy.array = array;
    copy.unknown = unknown;
    copy.readAtOnce = readAtOnce;
    copy.threads = threads;
    return copy;
  }

  /**
   * Sets the format of the file.
   *
   * @param format the format
   * @return the new options
   */
  public WordVectorsOptions withFormat(Format format) {
    WordVectorsOptions copy = copy();
    copy.format = Objects.requireNonNull(format, "format");
    return copy;
  }

  /**
   * Sets the words of the rows, if the file has none (.npy, .params). There may be more rows than words.
   *
   * @param vocabulary the words; do not close the vocabulary before the vectors are loaded
   * @return the new options
   */
  public WordVectorsOptions withVocabulary(Vocabulary vocabulary) {
    WordVectorsOptions copy = copy();
    copy.vocabulary = Objects.requireNonNull(vocabulary, "vocabulary");
    return copy;
  }

  /**
   * Sets which array of a .params file has the vectors. By default, it is the only matrix in the file.
   *
   * @param name such as "embedding0_weight"
   * @return the new options
   */
  public WordVectorsOptions withArray(String name) {
    WordVectorsOptions copy = copy();
    copy.array = Text.utf8(name, "name");
    return copy;
  }

  /**
   * Sets the word that replaces every word that is not in the file. By default, it is the one that the file names.
   *
   * @param word one of the words of the file
   * @return the new options
   */
  public WordVectorsOptions withUnknown(String word) {
    WordVectorsOptions copy = copy();
    copy.unknown = Text.utf8(word, "word");
    return copy;
  }

  /**
   * Sets whether a float32 matrix in a local .npy or .params file is read, or mapped into memory, which is the default.
   * A mapped matrix is available at once, and processes share it. Do not write to the file or truncate it then: that
   * would crash the process.
   *
   * @param atOnce true: it is read
   * @return the new options
   */
  public WordVectorsOptions withReadAtOnce(boolean atOnce) {
    WordVectorsOptions copy = copy();
    copy.readAtOnce = atOnce;
    return copy;
  }

  /**
   * Sets how many threads load and search.
   *
   * @param threads their number; 0: one for each core
   * @return the new options
   */
  public WordVectorsOptions withThreads(int threads) {
    WordVectorsOptions copy = copy();
    copy.threads = threads;
    return copy;
  }
}
