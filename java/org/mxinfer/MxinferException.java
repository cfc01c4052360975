package org.mxinfer;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * An error of mxinfer: a code for programs, and a message for people that says what was wrong, what was given and what
 * was expected.
 */
public class MxinferException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The code. */
  private final ErrorCode code;

  /**
   * Makes an object of this class.
   *
   * @param code the kind of the error
   * @param message what went wrong
   */
  public MxinferException(ErrorCode code, String message) {
    super(message);
    this.code = Objects.requireNonNull(code, "code");
  }

  /**
   * Returns the kind of the error.
   *
   * @return the code
   */
  public final ErrorCode code() {
    return code;
  }

  /** Of a status and a message (UTF-8) of the C interface. Called by the native code too. */
  static MxinferException of(int status, byte[] message) {
    String text = new String(message, StandardCharsets.UTF_8);
    ErrorCode code = ErrorCode.ofStatus(status);
    switch (code) {
      case INVALID_ARGUMENT:
        return new InvalidArgumentException(text);
      case TOO_MANY_REQUESTS:
        return new TooManyRequestsException(text);
      case DEADLINE_EXCEEDED:
        return new DeadlineExceededException(text);
      default:
        return new MxinferException(code, text);
    }
  }
}
