package org.mxinfer;

/** The library itself. */
public final class Mxinfer {
  private Mxinfer() {}

  /**
   * Tells the version of the native library that is loaded.
   *
   * @return such as "0.1.0"
   */
  public static String version() {
    return Text.of(Native.version());
  }

  /**
   * Tells how the native library was built.
   *
   * @return JSON: {"version", "commit", "compiler", "targets", "best_target"}
   */
  public static String buildInfo() {
    return Text.of(Native.buildInfo());
  }
}
