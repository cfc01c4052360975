package org.mxinfer;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Path;
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

  /**
   * A file of the system's file system, as the bytes that the system knows it by. Java turns them into text in the code
   * of the locale, which may not have them all: what is not ASCII comes from the path's address then.
   */
  static byte[] utf8(Path path, String what) {
    String text = path(path, what);
    boolean same = "UTF-8".equalsIgnoreCase(System.getProperty("sun.jnu.encoding"))
        || text.chars().allMatch(c -> c < 128);
    return same ? utf8(text, what) : percentDecoded(path.toUri().getRawPath());
  }

  /** The same as text. */
  static String path(Path path, String what) {
    if (Objects.requireNonNull(path, what).getFileSystem() != FileSystems.getDefault()) {
      throw new InvalidArgumentException(
          what + " is '" + path + "' of " + path.getFileSystem() + ", where a file of the system's own is needed; "
          + "read it, and give its contents");
    }
    return path.toString();
  }

  /** An address as the library takes it, with "://" behind the scheme: Java's own of a file may begin with "file:/". */
  static byte[] utf8(URI uri, String what) {
    String text = Objects.requireNonNull(uri, what).toString();
    if (uri.isAbsolute()) {
      String scheme = uri.getScheme();
      String rest = text.substring(scheme.length() + 1);
      if (rest.startsWith("//")) {
        return utf8(text, what);
      }
      if (scheme.equalsIgnoreCase("file") && rest.startsWith("/")) {
        return utf8(scheme + "://" + rest, what);
      }
    }
    throw new InvalidArgumentException(what + " is '" + shown(text)
        + "', where an absolute address is needed, as https://HOST/NAME or file:///FOLDER/NAME; give a path as a Path");
  }

  /** Without what may be secret: a user's name and password, and what stands behind the path. */
  private static String shown(String address) {
    String place = address.split("[?#]", 2)[0];
    return place.substring(place.lastIndexOf('@') + 1) + (place.length() < address.length() ? "..." : "");
  }

  private static byte[] percentDecoded(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '%') {
        bytes.write(Integer.parseInt(text.substring(i + 1, i + 3), 16));
        i += 2;
      } else {
        bytes.write(text.charAt(i));
      }
    }
    return bytes.toByteArray();
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
