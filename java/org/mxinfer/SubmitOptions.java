package org.mxinfer;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;

/**
 * How one call with a future is submitted: its priority, how long it may wait, and where what follows its future runs.
 * Never changes; each {@code with} gives another.
 */
public final class SubmitOptions {
  /** Normal priority, no timeout, mxinfer's own threads for what follows. */
  public static final SubmitOptions DEFAULT = new SubmitOptions(0, 0, null);

  private final int priority;
  private final long timeout;
  private final Executor executor;

  private SubmitOptions(int priority, long timeout, Executor executor) {
    this.priority = priority;
    this.timeout = timeout;
    this.executor = executor;
  }

  /**
   * Starts it before all others that wait, but those of high priority before it.
   *
   * @return such options
   */
  public SubmitOptions withHighPriority() {
    return new SubmitOptions(1, timeout, executor);
  }

  /**
   * Ends it with {@link DeadlineExceededException} if it has not started by then.
   *
   * @param time how long from the submission; more than 0
   * @return such options
   * @throws InvalidArgumentException if the time is 0 or less
   */
  public SubmitOptions withTimeout(Duration time) {
    if (Objects.requireNonNull(time, "time").isZero() || time.isNegative()) {
      throw new InvalidArgumentException("the timeout is " + time + "; it is more than 0");
    }
    long nanos = time.compareTo(Duration.ofNanos(Long.MAX_VALUE)) < 0 ? time.toNanos() : Long.MAX_VALUE;
    return new SubmitOptions(priority, nanos, executor);
  }

  /**
   * Completes the future on an executor, and so runs there what was made to follow it, such as by {@code thenApply}.
   * Without, on a thread of mxinfer's own, of which there are as many as needed: it may block.
   *
   * @param executor such as {@code Runnable::run}, for short functions that never block: they hold up all other futures
   * @return such options
   */
  public SubmitOptions withExecutor(Executor executor) {
    return new SubmitOptions(priority, timeout, Objects.requireNonNull(executor, "executor"));
  }

  int priority() {
    return priority;
  }

  /** Nanoseconds, 0 for no timeout. */
  long timeout() {
    return timeout;
  }

  /** May be null. */
  Executor executor() {
    return executor;
  }
}
