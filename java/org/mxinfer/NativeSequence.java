package org.mxinfer;

/**
 * The functions of libmxinfer_jni.so for sequences: predictors, sessions, generators, CTC. Texts, arrays, errors and
 * addresses are as in Native. Outputs of many come as two numbers for each: its status, and the address of its tensors.
 */
final class NativeSequence {
  /** Where texts stand among those of GeneratorOptions. */
  static final int TOKEN_INPUT = 0;
  static final int TOKEN_LAYOUT = 1;
  static final int SCORE_OUTPUT = 2;
  static final int POSITION_INPUT = 3;
  static final int GENERATOR_LENGTH_INPUT = 4;
  static final int GENERATOR_TEXTS = 5;

  /** An id that is not set. */
  static final int OPEN = Integer.MIN_VALUE;

  static {
    Native.load();
  }

  private NativeSequence() {}

  static native long loadBuckets(byte[] uri, byte[][] options);

  static native long bucketsOf(long[] keys, long[] models);

  static native void freeBuckets(long buckets);

  static native long[] bucketKeys(long buckets);

  /** A model of its own. */
  static native long bucketModel(long buckets, long key);

  static native byte[] bucketsName(long buckets);

  /** As Native.modelMemory. */
  static native long[] bucketsMemory(long buckets);

  /**
   * One of `model` and `buckets` is 0. The texts are those of TextOptions by its numbers; states are names in pairs.
   */
  static native long create(long model, long buckets, byte[][] texts, long[] lengths, double[] padValue, int maxBatch,
      byte[][] states, boolean cutOutputs, byte[][] options);

  static native long open(byte[] uri, byte[][] texts, long[] lengths, double[] padValue, int maxBatch, byte[][] states,
      boolean cutOutputs, byte[][] options);

  /** A text classifier with a tokenizer (0: none), of a model, a bucketed model or what is at an address. */
  static native long createText(long model, long buckets, byte[] uri, long tokenizer, byte[][] texts, long[] lengths,
      double[] padValue, int maxBatch, byte[][] options);

  /** The same object as a predictor of sequences: borrowed. */
  static native long sequenceOf(int kind, long handle);

  static native long predictIds(long sequence, int[] ids);

  static native long predictTensor(long sequence, Object data, int dtype, long[] shape);

  static native long[] predictIdLists(long sequence, int[][] ids, byte[][] messages);

  /** `counts`: null, or how many arrays, which have names, each sequence has. */
  static native long[] predictTensors(long sequence, byte[][] names, Object[] data, int[] dtypes, long[][] shapes,
      int[] counts, byte[][] messages);

  static native long submitIds(long sequence, int[] ids, int priority, long timeout);

  static native long[] buckets(long sequence);

  static native long bucketOf(long sequence, long length);

  static native void warmupBuckets(long sequence);

  static native long session(long sequence);

  static native void freeSession(long session);

  static native long copySession(long session);

  static native long stepIds(long session, int[] ids);

  static native long stepTensor(long session, Object data, int dtype, long[] shape);

  static native long stepNamed(long session, byte[][] names, Object[] data, int[] dtypes, long[][] shapes);

  static native long[] stepIdLists(long sequence, long[] sessions, int[][] ids, byte[][] messages);

  static native long[] stepTensors(long sequence, long[] sessions, Object[] data, int[] dtypes, long[][] shapes,
      byte[][] messages);

  static native void resetSession(long session);

  /** In the order of stateDescs(). */
  static native long states(long session);

  static native void setStates(long session, byte[][] names, Object[] data, int[] dtypes, long[][] shapes);

  /** As Native.modelDescs. */
  static native Object[] stateDescs(long session);

  static native int[] classifyTokens(long classifier, byte[][] tokens, int topK);

  static native int[] classifyIds(long classifier, int[] ids, int topK);

  static native int[] textIds(long classifier, byte[] text);

  /** `model` is 0 where `uri` is given. `ids` are begin and end. */
  static native long createGenerator(long model, byte[] uri, byte[][] texts, int step, int scores, byte[][] states,
      long[] buckets, double padValue, long vocabulary, long tokenizer, int[] ids, byte[][] options);

  /**
   * Prompts are ids, or, where these are null, texts. The numbers are those of GenerateOptions. For each prompt four
   * objects for each sequence: int[] of ids, byte[] of the text, double[] of score and log probability, int[] of why it
   * ended, whether a token ended it, and that token.
   */
  static native Object[][] generate(long generator, int[][] ids, byte[][] texts, boolean isBatch, int[] numbers,
      float[] floats, long seed, int[] stopIds, Object stop, byte[][] names, Object[] data, int[] dtypes,
      long[][] shapes);

  static native long start(long generator, int[] ids, byte[] text, int[] numbers, float[] floats, long seed,
      int[] stopIds, Object stop, byte[][] names, Object[] data, int[] dtypes, long[][] shapes);

  static native void freeGeneration(long generation);

  /** The id, -1 at the end; what it adds to the text in `piece[0]`. */
  static native int next(long generation, byte[][] piece);

  /** As one sequence of generate(). */
  static native Object[] result(long generation);

  static native int[] generatorIds(long generator, byte[] text);

  static native byte[] generatorText(long generator, int[] ids);

  static native long generatorVocabulary(long generator);

  /** byte[][] of the texts, byte[][] of the states, long[] of the buckets, int[] of step, scores and ids, double[]. */
  static native Object[] found(long generator);

  /** What a stop function says. */
  static boolean stops(Object function, int[] ids) {
    @SuppressWarnings("unchecked") // GenerateOptions takes no other
    java.util.function.Predicate<int[]> predicate = (java.util.function.Predicate<int[]>) function;
    return predicate.test(ids);
  }

  /**
   * Three objects for each result: int[] of labels, byte[] of the text, double[] of the log probability. A beam of
   * width 0: greedy, one result for each sequence; else a list for each.
   */
  static native Object[][] ctc(Object data, int dtype, long[] shape, int scores, int layout, int blank, long[] lengths,
      byte[][] labels, int beamWidth, int best);

  /** `columns` are the names of the columns of each input, behind how many there are. */
  static native long createTable(int kind, long predictor, byte[][] inputs, int[] counts, byte[][] columns, int topK,
      float threshold, int most, byte[][] classes, byte[][] thresholdClasses, float[] thresholds, float[] nms,
      boolean fail, int batchRows);

  static native void freeTable(long table);

  static native void tableSchema(long table, long schema, long result);

  static native void predictTable(long table, long schema, long array, long result);
}
