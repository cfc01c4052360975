package org.mxinfer;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;

/**
 * The address of an object of the library, freed once: when it has been closed, or its owner is not reachable any more,
 * and no call uses it.
 *
 * <pre>{@code
 * long address = handle.acquire();
 * try {
 *   return Native.modelName(address);
 * } finally {
 *   handle.release();
 * }
 * }</pre>
 */
final class NativeHandle {
  private static final Cleaner CLEANER = Cleaner.create();

  private final State state;
  private final Cleaner.Cleanable cleanable;

  /** `what` is for messages; `free` must not refer to the owner. */
  NativeHandle(Object owner, String what, long address, LongConsumer free) {
    state = new State(what, address, free);
    cleanable = CLEANER.register(owner, state);
  }

  /** The address, which is not freed before release(). IllegalStateException after close(). */
  long acquire() {
    return state.acquire();
  }

  void release() {
    state.release();
  }

  /** Calls with the address, which is not freed meanwhile. */
  <T> T with(LongFunction<T> function) {
    long address = acquire();
    try {
      return function.apply(address);
    } finally {
      release();
    }
  }

  /** Frees it now, or when the last call that uses it has ended. */
  void close() {
    cleanable.clean();
  }

  boolean isClosed() {
    return (state.get() & State.CLOSED) != 0;
  }

  /** The number of calls that use it, times two, and whether it is closed. */
  private static final class State extends AtomicInteger implements Runnable {
    private static final long serialVersionUID = 1L;
    private static final int CLOSED = 1;
    private static final int USER = 2;

    private final String what;
    private final long address;
    private final transient LongConsumer free;

    State(String what, long address, LongConsumer free) {
      this.what = what;
      this.address = address;
      this.free = free;
    }

    long acquire() {
      for (int value = get(); (value & CLOSED) == 0; value = get()) {
        if (compareAndSet(value, value + USER)) {
          return address;
        }
      }
      throw new IllegalStateException("this " + what + " is closed; it cannot be used after close()");
    }

    void release() {
      if (addAndGet(-USER) == CLOSED) {
        free.accept(address);
      }
    }

    /** Closes it. */
    @Override
    public void run() {
      for (int value = get(); (value & CLOSED) == 0; value = get()) {
        if (compareAndSet(value, value | CLOSED)) {
          if (value == 0) {
            free.accept(address);
          }
          return;
        }
      }
    }
  }
}
