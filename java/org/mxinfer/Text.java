package org.mxinfer;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Texts for the C interface and from it: UTF-8, in byte arrays, for JNI's own is another code. */
final class Text {
  private Text() {}

  static String of(byte[] utf8) {
    return new String(utf8, StandardCharsets.UTF_8);
  }

  static List<String> listOf(byte[][] texts) {
    String[] list = new String[texts.length];
    for (int i = 0; i < list.length; i++) {
      list[i] = of(texts[i]);
    }
    return List.of(list);
  }

  /** `what` is the argument's name. A text ends in C where it has a character 0. */
  static byte[] utf8(String text, String what) {
    Objects.requireNonNull(text, what);
    int end = text.indexOf('\0');
    if (end >= 0) {
      throw new InvalidArgumentException(
          what + " has a character 0 at position " + end + ", where a text without one is needed");
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static byte[][] utf8(List<String> texts, String what) {
    byte[][] list = new byte[Objects.requireNonNull(texts, what).size()][];
    for (int i = 0; i < list.length; i++) {
      list[i] = utf8(texts.get(i), "an element of " + what);
    }
    return list;
  }

  /** A JSON string. */
  static String json(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ') {
        quoted.append(String.format("\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }

  static String jsonList(List<String> texts, String what) {
    StringBuilder list = new StringBuilder("[");
    for (String text : Objects.requireNonNull(texts, what)) {
      list.append(list.length() == 1 ? "" : ",").append(json(Objects.requireNonNull(text, "an element of " + what)));
    }
    return list.append("]").toString();
  }
}
