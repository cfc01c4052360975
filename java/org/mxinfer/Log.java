package org.mxinfer;

import java.util.Objects;
import java.util.function.BiConsumer;

/** The log of the native library, in Java's levels. */
final class Log {
  /** The library's levels by their numbers. */
  private static final System.Logger.Level[] LEVELS = {
    System.Logger.Level.DEBUG, System.Logger.Level.INFO, System.Logger.Level.WARNING
  };

  private Log() {}

  static synchronized void set(BiConsumer<System.Logger.Level, String> callback, System.Logger.Level least) {
    Objects.requireNonNull(least, "least, the lowest level that is wanted");
    int number = 0;
    while (number < LEVELS.length && LEVELS[number].getSeverity() < least.getSeverity()) {
      ++number;
    }
    boolean silent = callback == null || number == LEVELS.length;
    Native.setLogCallback(silent ? null : callback, silent ? 0 : number);
  }

  static void deliver(Object callback, int level, byte[] message) {
    @SuppressWarnings("unchecked") // set() takes no other
    BiConsumer<System.Logger.Level, String> consumer = (BiConsumer<System.Logger.Level, String>) callback;
    consumer.accept(LEVELS[level], Text.of(message));
  }
}
