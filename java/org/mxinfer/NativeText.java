package org.mxinfer;

/**
 * The functions of libmxinfer_jni.so for vocabularies, tokenizers and word vectors. Texts, errors and addresses are as
 * in Native; ids that there are not are -1, other numbers that are not set null.
 */
final class NativeText {
  static {
    Native.load();
  }

  private NativeText() {}

  /** `tokens` are the unknown, padding, begin and end token, each may be null. */
  static native long vocabularyOf(byte[][] words, byte[][] tokens);

  static native long loadVocabulary(byte[] uri, int format, byte[][] tokens);

  static native long parseVocabulary(byte[] bytes, int format, byte[][] tokens);

  static native void freeVocabulary(long vocabulary);

  static native int vocabularySize(long vocabulary);

  static native int findWord(long vocabulary, byte[] word);

  static native int[] idsOf(long vocabulary, byte[][] words);

  static native byte[][] wordsOf(long vocabulary, int[] ids);

  /** Of the unknown, padding, begin and end token. */
  static native int[] specialIds(long vocabulary);

  static native byte[] vocabularyJson(long vocabulary);

  /** `kind` is an ordinal of TextOptions.Tokenizer; `vocabulary` may be 0. */
  static native long tokenizerOf(int kind, long vocabulary, boolean lower, boolean basic, int maxWordLength,
      byte[] prefix);

  static native long loadSentencePiece(byte[] uri);

  static native long parseSentencePiece(byte[] model);

  static native void freeTokenizer(long tokenizer);

  static native byte[][] tokens(long tokenizer, byte[] text);

  static native int[] ids(long tokenizer, byte[] text);

  static native byte[] text(long tokenizer, int[] ids);

  /** Another handle of it. */
  static native long vocabularyOfTokenizer(long tokenizer);

  /** `vocabulary` may be 0, the texts null. */
  static native long loadVectors(byte[] uri, int format, long vocabulary, byte[] array, byte[] unknown,
      boolean readAtOnce, int threads);

  static native long parseVectors(byte[] bytes, int format, long vocabulary, byte[] array, byte[] unknown,
      boolean readAtOnce, int threads);

  static native long vectorsOf(long vocabulary, Object data, int dtype, long[] shape, int threads);

  static native void freeVectors(long vectors);

  static native long vocabularyOfVectors(long vectors);

  /** Rows, dimensions, and how many words were skipped. */
  static native long[] vectorsInfo(long vectors);

  static native float[] vectorOfWord(long vectors, byte[] word);

  static native float[] vectorOfId(long vectors, int id);

  /** `ids`: null for all rows. */
  static native void copyRows(long vectors, int[] ids, Object directBuffer);

  static native float similarity(long vectors, byte[] a, byte[] b);

  /** byte[][] of words, float[] of scores, int[] of ids. One word or three are asked about, or a vector. */
  static native Object[] nearest(long vectors, byte[][] words, float[] vector, int k, float[] minScore, long first,
      boolean includeGiven);
}
