package org.mxinfer;

import java.util.function.BiConsumer;

/** The library itself. */
public final class Mxinfer {
  private Mxinfer() {}

  /**
   * Returns the version of the native library.
   *
   * @return such as "0.1.0"
   */
  public static String version() {
    return Text.of(Native.version());
  }

  /**
   * Returns how the native library was built.
   *
   * @return JSON: {"version", "commit", "compiler", "targets", "best_target"}
   */
  public static String buildInfo() {
    return Text.of(Native.buildInfo());
  }

  /**
   * Sets the callback for the library's messages: models that it loads and plans that it makes, with their times, and
   * warnings. Errors are not logged: the caller gets them. Without a callback the library is silent.
   *
   * <pre>{@code
   * System.Logger logger = System.getLogger("org.mxinfer");
   * Mxinfer.setLogCallback(logger::log, System.Logger.Level.INFO);
   * }</pre>
   *
   * <p>Once this returns, the previous callback gets no more messages. Any thread may call this, but not from inside a
   * callback.
   *
   * @param callback receives the level (DEBUG, INFO or WARNING) and one line of text, on the thread that the message is
   *     about, possibly on several at once. What it throws goes to the thread's handler of uncaught exceptions. null:
   *     no messages
   * @param least the lowest level that you want; with ERROR and OFF there are no messages
   */
  public static void setLogCallback(BiConsumer<System.Logger.Level, String> callback, System.Logger.Level least) {
    Log.set(callback, least);
  }
}
