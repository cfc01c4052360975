package org.mxinfer;

/** An argument is invalid: a name, count, shape, dtype or option. */
public final class InvalidArgumentException extends MxinferException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception with {@link ErrorCode#INVALID_ARGUMENT}.
   *
   * @param message what went wrong
   */
  public InvalidArgumentException(String message) {
    super(ErrorCode.INVALID_ARGUMENT, message);
  }
}
