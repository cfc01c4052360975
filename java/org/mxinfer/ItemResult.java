package org.mxinfer;

import java.util.Optional;

/**
 * What became of one item of a list: its result, or what was wrong with it. The other items are not harmed by it. Never
 * changes.
 *
 * @param <T> the type of the result
 */
public final class ItemResult<T> {
  private final T value;
  private final MxinferException error;

  ItemResult(T value, MxinferException error) {
    this.value = value;
    this.error = error;
  }

  /**
   * Tells whether there is a result.
   *
   * @return false if the item was wrong
   */
  public boolean isOk() {
    return error == null;
  }

  /**
   * Gives the result.
   *
   * @return the result
   * @throws MxinferException what was wrong with the item, if something was
   */
  public T get() {
    if (error != null) {
      throw error;
    }
    return value;
  }

  /**
   * Tells what was wrong with the item.
   *
   * @return empty if nothing was
   */
  public Optional<MxinferException> error() {
    return Optional.ofNullable(error);
  }

  /**
   * The result, or the error, as text.
   *
   * @return the text
   */
  @Override
  public String toString() {
    return error == null ? String.valueOf(value) : error.toString();
  }
}
