package org.mxinfer;

/**
 * The functions of libmxinfer_jni.so. They take addresses of objects, which the caller keeps alive, and texts as UTF-8,
 * and throw what MxinferException.of() makes of an error.
 *
 * <p>Arrays go in as four lists: names (null for none), data (a direct buffer or an array of a primitive type), dtypes
 * and shapes. Classes come out as whole numbers: for each sample its status and how many classes it has; for each of
 * these its index and the bits of its score. Detections likewise, with four more bits of floats, how
 * many numbers of landmarks there are, and their bits.
 */
final class Native {
  /** What an object is: the type that it has in C. */
  static final int PREDICTOR = 0;
  static final int CLASSIFIER = 1;
  static final int IMAGE_CLASSIFIER = 2;
  static final int OBJECT_DETECTOR = 3;
  static final int TEXT_CLASSIFIER = 4;
  static final int IMAGE_SEGMENTER = 5;
  static final int KEYPOINT_DETECTOR = 6;
  static final int FACE_EMBEDDER = 7;
  static final int SEQUENCE_PREDICTOR = 8;
  static final int SEQUENCE_GENERATOR = 9;

  /** How arrays are run: as they are, flat, or as a list of items. */
  static final int WHOLE = 0;
  static final int FLAT = 1;
  static final int LIST = 2;

  /** Where an image comes from: the path of a file, the bytes of one, or pixels. */
  static final int FILE = 0;
  static final int ENCODED = 1;
  static final int PIXELS = 2;

  /** Where texts stand among those of TextOptions, and how many there are. */
  static final int TOKENIZER = 0;
  static final int VOCABULARY = 1;
  static final int UNKNOWN = 2;
  static final int BEGIN = 3;
  static final int END = 4;
  static final int SEGMENT_INPUT = 5;
  static final int LENGTH_INPUT = 6;
  static final int SEQUENCE_INPUT = 7;
  static final int PAD_SIDE = 8;
  static final int TRUNCATE_SIDE = 9;
  static final int TOO_LONG = 10;
  static final int TEXT_OPTIONS = 11;

  static {
    NativeLibrary.load();
  }

  private Native() {}

  /** Loads the library, which has the functions of the other classes of native functions too. */
  static void load() {}

  static native byte[] version();

  static native byte[] buildInfo();

  /** Not thread-safe; null: silent. */
  static native void setLogCallback(Object callback, int least);

  /** A message, on any thread. What the callback throws goes where a thread's uncaught exceptions go. */
  static void logged(Object callback, int level, byte[] message) {
    try {
      Log.deliver(callback, level, message);
    } catch (Throwable e) {
      try {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
      } catch (Throwable ignored) {
        // The library goes on, whatever the handler does.
      }
    }
  }

  /** Name, group, value, default and help of each option. */
  static native byte[][] describeOptions();

  static native void checkOption(byte[] name, byte[] value);

  static native long loadModel(byte[] uri, byte[][] options);

  static native long loadModelFiles(byte[] symbol, byte[] params, byte[][] options);

  static native long loadModelMemory(byte[] symbol, byte[] params, byte[][] options);

  static native long loadModelArchive(byte[] archive, byte[][] options);

  static native void freeModel(long model);

  static native byte[] modelName(long model);

  static native Object[] modelDescs(long model, boolean inputs);

  static native byte[][] modelLabels(long model);

  static native byte[][] modelWarnings(long model);

  static native long[] modelMemory(long model);

  static native long create(int kind, long model, byte[][] options);

  static native long open(int kind, byte[] uri, byte[][] options);

  /** Classifiers of texts; the arguments before the last are the fields of TextOptions. */
  static native long createText(long model, byte[][] texts, long[] buckets, double[] padValue, int lower, int maxBatch,
      byte[][] options);

  static native long openText(byte[] uri, byte[][] texts, long[] buckets, double[] padValue, int lower, int maxBatch,
      byte[][] options);

  static native void free(int kind, long handle);

  /** The same object as a predictor, and as a classifier (0 if it is none): borrowed. */
  static native long predictorOf(int kind, long handle);

  static native long classifierOf(int kind, long handle);

  static native long modelOf(long predictor);

  static native byte[][] warnings(long predictor);

  static native Object[] shapesOf(long predictor, boolean inputs, byte[][] names, long[][] shapes);

  static native void warmup(long predictor, byte[][] names, long[][] shapes);

  static native byte[] explain(long predictor, byte[][] names, long[][] shapes);

  static native long[] stats(long predictor);

  static native long[] memory(long predictor);

  static native double[] metrics(long predictor);

  static native byte[] prometheus(long predictor, byte[] labels, boolean withHelp);

  static native long trim(long predictor);

  /** The address of the results, to be freed. */
  static native long predict(long predictor, int how, byte[][] names, Object[] data, int[] dtypes, long[][] shapes);

  static native void predictInto(long predictor, byte[][] names, Object[] data, int[] dtypes, long[][] shapes,
      byte[][] outNames, Object[] outData, int[] outDtypes, long[][] outShapes);

  static native void predictOnDevice(long predictor, byte[][] names, long[] addresses, int[] devices, int[] dtypes,
      long[][] shapes, byte[][] outNames, long[] outAddresses, int[] outDevices, int[] outDtypes, long[][] outShapes,
      long stream);

  static native int tensorCount(long tensors);

  /** The dtype, and the sizes of the dimensions. */
  static native long[] tensorInfo(long tensors, int index);

  static native void copyTensor(long tensors, int index, Object directBuffer);

  /** Of a float32 array, and of a float64 one. */
  static native float[] floatsOf(long tensors, int index);

  static native double[] doublesOf(long tensors, int index);

  /** The status of an item, and its message in `message[0]`. */
  static native int itemStatus(long tensors, int index, byte[][] message);

  static native void freeTensors(long tensors);

  /** One array in pinned memory, of zeros; to be freed as tensors. */
  static native long createPinned(byte[] device, int dtype, long[] shape);

  /** The bytes of that as a direct buffer. */
  static native Object pinnedMemory(long tensors);

  static native int[] classify(long classifier, float[] sample, int topK);

  static native int[] classifyBatch(long classifier, Object data, int dtype, long[] shape, int topK);

  /**
   * Images are byte arrays; of pixels, `sizes` has width, height, channels and the bits of a sample. With `messages`,
   * a list.
   */
  static native int[] classifyImages(long classifier, int source, Object[] images, int[] sizes, int topK,
      byte[][] messages);

  /** `second`: null, or the second text of a pair. */
  static native int[] classifyText(long classifier, byte[] text, byte[] second, int topK);

  /** `seconds`: null, or the second texts of pairs. */
  static native int[] classifyTexts(long classifier, byte[][] texts, byte[][] seconds, int topK, byte[][] messages);

  /** What is wanted beside `threshold` and `most` is in lists that DetectOptions makes; `nms` may be null. */
  static native int[] detect(long detector, int source, Object[] images, int[] sizes, float threshold, int most,
      byte[][] classes, byte[][] thresholdClasses, float[] thresholds, float[] nms, byte[][] messages);

  /** Of one image: the objects and the best score of each class as whole numbers, the counts as longs, and the text. */
  static native Object[] report(long detector, int source, Object[] images, int[] sizes, float threshold, int most,
      byte[][] classes, byte[][] thresholdClasses, float[] thresholds, float[] nms);

  static native long submitPredict(long predictor, byte[][] names, Object[] data, int[] dtypes, long[][] shapes,
      int priority, long timeout);

  /** Flat arrays, which are copied; of each shape the one number is how many elements there are. */
  static native long submitFlat(long predictor, Object[] data, int[] dtypes, long[][] counts, int priority,
      long timeout);

  static native long submitPredictInto(long predictor, byte[][] names, Object[] data, int[] dtypes, long[][] shapes,
      byte[][] outNames, Object[] outData, int[] outDtypes, long[][] outShapes, int priority, long timeout);

  static native long submitClassify(long classifier, float[] sample, int topK, int priority, long timeout);

  static native long submitClassifyImage(long classifier, int source, byte[] image, int[] size, int topK, int priority,
      long timeout);

  static native long submitText(long classifier, byte[] text, int topK, int priority, long timeout);

  static native long submitDetect(long detector, int source, byte[] image, int[] size, float threshold, int most,
      int priority, long timeout);

  static native boolean cancelRequest(long request);

  /** Returns when it has ended. */
  static native void waitRequest(long request);

  /** Whether it has ended by now; ends what is past its deadline and has not started. */
  static native boolean pollRequest(long request);

  /** The address of the results, to be freed. */
  static native long takeTensors(long request);

  static native int[] takeClasses(long request);

  static native int[] takeDetections(long request);

  static native void takeNothing(long request);

  static native void freeRequest(long request);

  /** Cancels it, waits until it has ended, and frees it. */
  static native void abandonRequest(long request);

  static native long createCompletions();

  static native void addCompletion(long completions, long tag, long request);

  /** Waits for the next that has ended; its request, and its tag in `tag[0]`. */
  static native long nextCompletion(long completions, long[] tag);
}
