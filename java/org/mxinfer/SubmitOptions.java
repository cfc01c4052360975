package org.mxinfer;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;

/**
 * How a call is submitted: its priority, how long it may wait, and where the functions that follow its future run.
 * Never changes; each {@code with} returns another.
 */
public final class SubmitOptions {
  /** Normal priority, no timeout, mxinfer's own threads for functions that follow. */
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
   * Starts the call before all others that wait, except earlier ones of high priority.
   *
   * @return the new options
   */
  public SubmitOptions withHighPriority() {
    return new SubmitOptions(1, timeout, executor);
  }

  /**
   * Ends the call with {@link DeadlineExceededException} if it has not started by then.
   *
   * @param time the time from the submission; more than 0
   * @return the new options
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
   * Completes the future on an executor, which then runs the functions that follow it, such as those of {@code
   * thenApply}. Without an executor, they run on a thread of mxinfer, and may block: there are as many such threads as
   * needed.
   *
   * @param executor such as {@code Runnable::run} for short functions that never block; with it, a function that blocks
   *     holds up all other futures
   * @return the new options
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
