package org.mxinfer;

/** The timeout of a submission passed before it started. */
public final class DeadlineExceededException extends MxinferException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception with {@link ErrorCode#DEADLINE_EXCEEDED}.
   *
   * @param message what went wrong
   */
  public DeadlineExceededException(String message) {
    super(ErrorCode.DEADLINE_EXCEEDED, message);
  }
}
