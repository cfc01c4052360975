package org.mxinfer;

/** Values of the caller do not fit: a name, a count, a shape, a dtype, an option. */
public final class InvalidArgumentException extends MxinferException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes one, with {@link ErrorCode#INVALID_ARGUMENT}.
   *
   * @param message what was wrong
   */
  public InvalidArgumentException(String message) {
    super(ErrorCode.INVALID_ARGUMENT, message);
  }
}
