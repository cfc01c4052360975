package org.mxinfer;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/**
 * Completes futures. One daemon thread takes requests from a list of those that have ended, and hands each to an
 * executor, which reads its result and completes its future.
 *
 * <p>So threads of the library run Java for messages of the log alone. Functions that follow a future may block,
 * throw, or close the predictor, and hold up no worker.
 */
final class Completions {
  private static final long QUEUE = Native.createCompletions();
  private static final ConcurrentHashMap<Long, RequestFuture<?>> PENDING = new ConcurrentHashMap<>();
  private static final AtomicLong NEXT_TAG = new AtomicLong();
  /** One for each request that was added to the queue and that the thread has not gone for: it never finds it empty. */
  private static final Semaphore ADDED = new Semaphore(0);
  private static final ExecutorService OWN_THREADS = Executors.newCachedThreadPool(daemons("mxinfer-future-"));

  /** Of requests with a timeout; a timer goes with its request. */
  private static final ScheduledThreadPoolExecutor TIMERS =
      new ScheduledThreadPoolExecutor(1, daemons("mxinfer-timers-"));

  static {
    TIMERS.setRemoveOnCancelPolicy(true);
    daemons("mxinfer-completions-").newThread(Completions::takeAll).start();
  }

  private Completions() {}

  /**
   * Submits. An error of the library comes with the future. `held` is kept until the request has ended; if it `borrows`
   * memory of `held`, cancelling waits for that. `take` reads the result of a request that has ended.
   */
  static <T> CompletableFuture<T> submit(SubmitOptions options, boolean borrows, Object held, LongSupplier submit,
      LongFunction<T> take) {
    RequestFuture<T> future = new RequestFuture<>(borrows, held, take,
        options.executor() == null ? OWN_THREADS : options.executor());
    long tag = NEXT_TAG.incrementAndGet();
    PENDING.put(tag, future);
    long request = 0;
    try {
      request = submit.getAsLong();
      future.submitted(request);
      Native.addCompletion(QUEUE, tag, request);
    } catch (Throwable e) {
      PENDING.remove(tag);
      if (request != 0) {
        future.forget();
        Native.abandonRequest(request);
      }
      if (!(e instanceof MxinferException)) {
        throw e;
      }
      future.completeExceptionally(e);
      return future;
    }
    ADDED.release();
    if (options.timeout() > 0) {
      future.pollAfter(options.timeout(), TIMERS);
    }
    return future;
  }

  /** Submits each image of a list, and gathers what becomes of them. An invalid one does not affect the others. */
  static <T, R> CompletableFuture<List<ItemResult<R>>> submitEach(List<T> images, String what,
      Function<T, CompletableFuture<R>> submit) {
    List<T> list = new ArrayList<>(Objects.requireNonNull(images, what));
    list.forEach(image -> Objects.requireNonNull(image, "an element of " + what));
    List<CompletableFuture<R>> futures = new ArrayList<>();
    for (T image : list) {
      try {
        futures.add(submit.apply(image));
      } catch (MxinferException e) {
        futures.add(CompletableFuture.failedFuture(e));
      } catch (Throwable e) {  // the predictor is closed, or there is no memory
        futures.forEach(future -> future.cancel(true));
        throw e;
      }
    }
    return gather(futures);
  }

  /** Gives the result of each, in order, when all have ended. To cancel the future cancels each. */
  static <T> CompletableFuture<List<ItemResult<T>>> gather(List<CompletableFuture<T>> futures) {
    List<ItemResult<T>> results = new ArrayList<>();
    CompletableFuture<Void> all = CompletableFuture.allOf(futures.toArray(new CompletableFuture<?>[0]));
    CompletableFuture<List<ItemResult<T>>> gathered = new CompletableFuture<>() {
      @Override
      public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        futures.forEach(future -> future.cancel(mayInterruptIfRunning));
        return cancelled;
      }
    };
    all.whenComplete((nothing, error) -> {
      try {
        for (CompletableFuture<T> future : futures) {
          results.add(resultOf(future));
        }
        gathered.complete(List.copyOf(results));
      } catch (Throwable e) {
        gathered.completeExceptionally(e);
      }
    });
    return gathered;
  }

  private static <T> ItemResult<T> resultOf(CompletableFuture<T> ended) {
    try {
      return new ItemResult<>(ended.join(), null);
    } catch (java.util.concurrent.CancellationException e) {
      return new ItemResult<>(null, new MxinferException(ErrorCode.CANCELLED, "the call was cancelled"));
    } catch (java.util.concurrent.CompletionException e) {
      if (e.getCause() instanceof MxinferException) {
        return new ItemResult<>(null, (MxinferException) e.getCause());
      }
      throw e;
    }
  }

  private static void takeAll() {
    long[] tag = new long[1];
    while (true) {
      ADDED.acquireUninterruptibly();
      long request = 0;
      for (boolean handedOver = false; !handedOver;) {
        try {
          if (request == 0) {
            request = Native.nextCompletion(QUEUE, tag);
          }
          PENDING.get(tag[0]).ended(request);
          handedOver = true;
        } catch (Throwable e) {  // the JVM's memory is short, as a rule
          pause();
        }
      }
      forget(tag[0]);
    }
  }

  private static void forget(long tag) {
    try {
      PENDING.remove(tag);
    } catch (OutOfMemoryError e) {
      // the number could not be boxed: the future stays listed, which is done with
    }
  }

  private static void pause() {
    try {
      Thread.sleep(10);
    } catch (InterruptedException e) {
      // nobody has this thread to interrupt it
    }
  }

  /** Runs it on the executor, or where that refuses on a thread of ours. */
  static void run(Executor executor, Runnable work) {
    try {
      executor.execute(work);
    } catch (Throwable refused) {
      if (executor == OWN_THREADS) {
        work.run();  // no thread could be started
      } else {
        run(OWN_THREADS, work);
      }
    }
  }

  private static ThreadFactory daemons(String prefix) {
    AtomicInteger number = new AtomicInteger();
    return work -> {
      Thread thread = new Thread(null, work, prefix + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }
}
