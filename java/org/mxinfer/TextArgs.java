package org.mxinfer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A list of texts, or of pairs, as the native code takes it, and the texts that are wrong by themselves. */
final class TextArgs {
  final byte[][] firsts;
  /** Of pairs; otherwise null. */
  final byte[][] seconds;
  /** By text: the library's message, if it is wrong. */
  final byte[][] messages;
  /** By text: why the library could not even be given it, or null. An empty text stands in its place. */
  final MxinferException[] errors;

  private TextArgs(int count, boolean pairs) {
    firsts = new byte[count][];
    seconds = pairs ? new byte[count][] : null;
    messages = new byte[count][];
    errors = new MxinferException[count];
  }

  static TextArgs of(List<String> texts) {
    List<String> list = new ArrayList<>(Objects.requireNonNull(texts, "texts"));
    TextArgs args = new TextArgs(list.size(), false);
    for (int i = 0; i < list.size(); i++) {
      args.firsts[i] = args.utf8(i, Objects.requireNonNull(list.get(i), "an element of texts"));
    }
    return args;
  }

  static TextArgs ofPairs(List<? extends Map.Entry<String, String>> pairs) {
    List<Map.Entry<String, String>> list = new ArrayList<>(Objects.requireNonNull(pairs, "pairs"));
    TextArgs args = new TextArgs(list.size(), true);
    for (int i = 0; i < list.size(); i++) {
      Map.Entry<String, String> pair = Objects.requireNonNull(list.get(i), "an element of pairs");
      args.firsts[i] = args.utf8(i, Objects.requireNonNull(pair.getKey(), "the first text of a pair"));
      args.seconds[i] = args.utf8(i, Objects.requireNonNull(pair.getValue(), "the second text of a pair"));
    }
    return args;
  }

  private byte[] utf8(int index, String text) {
    try {
      return Text.utf8(text, "text");
    } catch (MxinferException e) {
      errors[index] = e;
      return new byte[0];
    }
  }
}
