package org.mxinfer.tests;

/** A table of one column "x" of float32, and the place of results, as structs of Arrow's C Data Interface. */
final class ArrowFloats implements AutoCloseable {
  static {
    System.load(System.getProperty("mxinfer.arrow.floats"));
  }

  private final long table;
  private final long results = makeResults();

  ArrowFloats(float... values) {
    table = make(values);
  }

  long schema() {
    return schema(table);
  }

  long array() {
    return array(table);
  }

  long resultSchema() {
    return resultSchema(results);
  }

  long resultArray() {
    return resultArray(results);
  }

  /** Names and formats of the columns of results. */
  String described() {
    return describe(results);
  }

  float[] resultFloats() {
    return floats(results);
  }

  @Override
  public void close() {
    freeResults(results);
    free(table);
  }

  private static native long make(float[] values);

  private static native long schema(long table);

  private static native long array(long table);

  private static native void free(long table);

  private static native long makeResults();

  private static native long resultSchema(long results);

  private static native long resultArray(long results);

  private static native String describe(long results);

  private static native float[] floats(long results);

  private static native void freeResults(long results);
}
