package org.mxinfer;

/** The queue of a predictor was full. Submit again later, or tell the client to try again. */
public final class TooManyRequestsException extends MxinferException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception with {@link ErrorCode#TOO_MANY_REQUESTS}.
   *
   * @param message what went wrong
   */
  public TooManyRequestsException(String message) {
    super(ErrorCode.TOO_MANY_REQUESTS, message);
  }
}
