package org.mxinfer;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A sequence that is being generated: an iterator of the ids of its tokens, without the token that ends it.
 *
 * <pre>{@code
 * try (Generation generation = generator.start("The ship", GenerateOptions.DEFAULT)) {
 *   generation.pieces().forEach(System.out::print);  // as they come
 * }
 * }</pre>
 *
 * <p>{@link SequenceGenerator#start} makes one. Threads that share one wait for each other; a stop function must not
 * use the generation that calls it. After {@link #close()} its functions throw {@link IllegalStateException}; closing
 * the generator does not end it.
 */
public final class Generation implements Iterator<Integer>, AutoCloseable {
  private final NativeHandle handle;
  private boolean isInside;
  /** What comes next, if `isAhead`; -1: nothing. */
  private boolean isAhead;
  private int ahead;
  private String pieceAhead = "";
  private String piece = "";

  Generation(long address) {
    handle = new NativeHandle(this, "Generation", address, NativeSequence::freeGeneration);
  }

  /** Computes the next token, if none is ahead. */
  private void look() {
    if (isAhead) {
      return;
    }
    enter();
    try {
      byte[][] text = new byte[1][];
      ahead = handle.with(address -> NativeSequence.next(address, text));
      pieceAhead = Text.of(text[0]);
      isAhead = true;
    } finally {
      isInside = false;
    }
  }

  /** A stop function runs on a thread that has the lock. */
  private void enter() {
    if (isInside) {
      throw new InvalidArgumentException(
          "a stop function uses the generation that calls it; it is to look at the ids that it gets");
    }
    isInside = true;
  }

  /**
   * Tells whether there is another token. Computes it.
   *
   * @return false once the sequence has ended
   * @throws MxinferException as {@link SequenceGenerator#generate(int[], GenerateOptions)}
   */
  @Override
  public synchronized boolean hasNext() {
    look();
    if (ahead < 0) {
      piece = pieceAhead;
    }
    return ahead >= 0;
  }

  /**
   * Returns the next token.
   *
   * @return its id
   * @throws NoSuchElementException if the sequence has ended
   * @throws MxinferException as {@link SequenceGenerator#generate(int[], GenerateOptions)}
   */
  @Override
  public synchronized Integer next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the sequence has ended");
    }
    isAhead = false;
    piece = pieceAhead;
    return ahead;
  }

  /**
   * Returns what the last token adds to the text. At the end, it is the rest of the text.
   *
   * @return the piece; "" without a vocabulary, and while the text depends on later tokens
   */
  public synchronized String piece() {
    return piece;
  }

  /**
   * Returns what further tokens add to the text, each computed on demand.
   *
   * @return the pieces that are not empty, as a stream for one use
   */
  public Stream<String> pieces() {
    Iterator<String> each = new Iterator<>() {
      private boolean isDone;

      @Override
      public boolean hasNext() {
        return !isDone;
      }

      @Override
      public String next() {
        synchronized (Generation.this) {
          if (Generation.this.hasNext()) {
            Generation.this.next();
          } else {
            isDone = true;
          }
          return piece;
        }
      }
    };
    return StreamSupport.stream(Spliterators.spliteratorUnknownSize(each, Spliterator.ORDERED), false)
        .filter(text -> !text.isEmpty());
  }

  /**
   * Returns the sequence so far. It includes the token that {@link #hasNext} has computed; its finish is valid once the
   * sequence has ended.
   *
   * @return the sequence
   */
  public synchronized Generated result() {
    enter();
    try {
      return Generated.listOf(handle.with(NativeSequence::result)).get(0);
    } finally {
      isInside = false;
    }
  }

  /** Frees it when the last call that uses it has ended. You may call it again. */
  @Override
  public void close() {
    handle.close();
  }
}
