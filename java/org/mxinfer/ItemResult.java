package org.mxinfer;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * The result of one item of a list, or its error, which does not affect the other items. Never changes.
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

  /** Of a status of the native code and its message, or an error that was found before it was called. */
  static <T> ItemResult<T> of(int status, byte[] message, MxinferException error, Supplier<T> value) {
    if (error != null) {
      return new ItemResult<>(null, error);
    }
    return status == 0 ? new ItemResult<>(value.get(), null) : new ItemResult<>(null, MxinferException.of(status, message));
  }

  /**
   * Tells whether there is a result.
   *
   * @return false if the item is invalid
   */
  public boolean isOk() {
    return error == null;
  }

  /**
   * Returns the result.
   *
   * @return the result
   * @throws MxinferException the item's error, if it has one
   */
  public T get() {
    if (error != null) {
      throw error;
    }
    return value;
  }

  /**
   * Returns the item's error.
   *
   * @return empty if the item is valid
   */
  public Optional<MxinferException> error() {
    return Optional.ofNullable(error);
  }

  /**
   * Returns the result, or the error, as text.
   *
   * @return the text
   */
  @Override
  public String toString() {
    return error == null ? String.valueOf(value) : error.toString();
  }
}
