package org.mxinfer;

import java.util.Objects;

/** How {@link WordVectors} are read. Never changes; each {@code with} returns another. */
public final class WordVectorsOptions {
  /** How a file of word vectors is written. */
  public enum Format {
    /** By its contents. */
    AUTOMATIC,
    /** A line a word: "king 0.5 -0.7 ...", perhaps with "words dimensions" in front, as GloVe and fastText write it. */
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
   * Sets how the file is written.
   *
   * @param format the format
   * @return such options
   */
  public WordVectorsOptions withFormat(Format format) {
    WordVectorsOptions copy = copy();
    copy.format = Objects.requireNonNull(format, "format");
    return copy;
  }

  /**
   * Sets the words of the rows, where the file has none (.npy, .params). There may be more rows than words.
   *
   * @param vocabulary the words, not to be closed before the vectors are loaded
   * @return such options
   */
  public WordVectorsOptions withVocabulary(Vocabulary vocabulary) {
    WordVectorsOptions copy = copy();
    copy.vocabulary = Objects.requireNonNull(vocabulary, "vocabulary");
    return copy;
  }

  /**
   * Sets which array of a .params file has the vectors. Otherwise the only matrix that there is.
   *
   * @param name such as "embedding0_weight"
   * @return such options
   */
  public WordVectorsOptions withArray(String name) {
    WordVectorsOptions copy = copy();
    copy.array = Text.utf8(name, "name");
    return copy;
  }

  /**
   * Sets what stands for every word that is not there. Otherwise what the file says.
   *
   * @param word one of the words of the file
   * @return such options
   */
  public WordVectorsOptions withUnknown(String word) {
    WordVectorsOptions copy = copy();
    copy.unknown = Text.utf8(word, "word");
    return copy;
  }

  /**
   * Sets whether a matrix of float32 in a .npy or .params file of this machine is read, or mapped into memory. Mapped,
   * the default, it is there at once, and processes share it. The file must not be written to or cut short then: that
   * would end the process.
   *
   * @param atOnce true: it is read
   * @return such options
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
   * @return such options
   */
  public WordVectorsOptions withThreads(int threads) {
    WordVectorsOptions copy = copy();
    copy.threads = threads;
    return copy;
  }
}
