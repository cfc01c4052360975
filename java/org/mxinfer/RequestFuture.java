package org.mxinfer;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongFunction;

/** The future of one request. The lock keeps the request from being freed while it is cancelled or polled. */
final class RequestFuture<T> extends CompletableFuture<T> {
  private final Object lock = new Object();
  private final boolean borrows;
  private final LongFunction<T> take;
  private final Executor executor;
  private Object held;
  private long request;
  private Future<?> timer;
  private volatile boolean isToBeCancelled;

  RequestFuture(boolean borrows, Object held, LongFunction<T> take, Executor executor) {
    this.borrows = borrows;
    this.held = held;
    this.take = take;
    this.executor = executor;
  }

  void submitted(long address) {
    synchronized (lock) {
      request = address;
    }
  }

  /** There is no request any more. */
  void forget() {
    synchronized (lock) {
      request = 0;
      held = null;
      if (timer != null) {
        timer.cancel(false);
      }
    }
  }

  /** The library has done with the request, which is ours from now on. */
  void ended(long address) {
    forget();
    AtomicBoolean begun = new AtomicBoolean();
    Completions.run(executor, () -> {
      // An executor that both runs something and throws gets it run once.
      if (begun.compareAndSet(false, true)) {
        finish(address);
      }
    });
  }

  private void finish(long address) {
    T value;
    try {
      if (isDone()) {
        return;
      }
      value = take.apply(address);
    } catch (Throwable e) {
      if (isToBeCancelled && e instanceof MxinferException && ((MxinferException) e).code() == ErrorCode.CANCELLED) {
        super.cancel(true);
      } else {
        completeExceptionally(e);
      }
      return;
    } finally {
      Native.freeRequest(address);
    }
    complete(value);
  }

  /** Sees to it that what has not started by then ends soon, though nobody waits for it. */
  void pollAfter(long nanos, ScheduledExecutorService timers) {
    synchronized (lock) {
      if (request != 0) {
        timer = timers.schedule(this::poll, nanos, TimeUnit.NANOSECONDS);
      }
    }
  }

  private void poll() {
    synchronized (lock) {
      if (request != 0) {
        Native.pollRequest(request);
      }
    }
  }

  /**
   * Cancels the request too. Memory that it borrows is the caller's again when this returns: it waits for the request,
   * not for the thread that completes futures, which may be this one.
   */
  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    isToBeCancelled = true;
    synchronized (lock) {
      if (request != 0) {
        Native.cancelRequest(request);
        if (borrows) {
          Native.waitRequest(request);
        }
      }
    }
    return super.cancel(mayInterruptIfRunning);
  }
}
