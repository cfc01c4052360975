package org.mxinfer;

import java.util.function.BiConsumer;

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

  /**
   * Takes the library's messages from now on: models that are loaded and plans that are made, with their times, and
   * warnings. Errors are not logged: the caller gets them. Without a callback the library is silent.
   *
   * <pre>{@code
   * System.Logger logger = System.getLogger("org.mxinfer");
   * Mxinfer.setLogCallback(logger::log, System.Logger.Level.INFO);
   * }</pre>
   *
   * <p>Once this returns, no message goes to the callback before. May be called from any thread, but not from inside a
   * callback.
   *
   * @param callback gets the level (DEBUG, INFO or WARNING) and one line of text, on the thread that the message is
   *     about, possibly on several at once; what it throws goes to the thread's handler of uncaught exceptions. null:
   *     silent
   * @param least the lowest level that is wanted; with ERROR and OFF there is none
   */
  public static void setLogCallback(BiConsumer<System.Logger.Level, String> callback, System.Logger.Level least) {
    Log.set(callback, least);
  }
}
