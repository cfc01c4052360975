package org.mxinfer;

/** The caller's values do not fit: a name, a count, a shape, a dtype, an option. */
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
