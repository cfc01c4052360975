package org.mxinfer;

import java.util.List;

/** Tells of one option that there is. Never changes. */
public final class OptionInfo {
  private final String name;
  private final String group;
  private final String value;
  private final String defaultText;
  private final String help;

  private OptionInfo(byte[][] texts, int first) {
    name = Text.of(texts[first]);
    group = Text.of(texts[first + 1]);
    value = Text.of(texts[first + 2]);
    defaultText = Text.of(texts[first + 3]);
    help = Text.of(texts[first + 4]);
  }

  /**
   * Tells of all options that the library has.
   *
   * @return one for each, in groups
   */
  public static List<OptionInfo> all() {
    byte[][] texts = Native.describeOptions();
    OptionInfo[] list = new OptionInfo[texts.length / 5];
    for (int i = 0; i < list.length; i++) {
      list[i] = new OptionInfo(texts, i * 5);
    }
    return List.of(list);
  }

  /**
   * Tells the name.
   *
   * @return such as "max_in_flight", which {@link Options} has as {@code maxInFlight} too
   */
  public String name() {
    return name;
  }

  /**
   * Tells what the option is about.
   *
   * @return "load", "run", "queue", "image", "scores" or "detector"
   */
  public String group() {
    return group;
  }

  /**
   * Tells what the option takes.
   *
   * @return such as "a whole number"
   */
  public String value() {
    return value;
  }

  /**
   * Tells what the option is if nothing sets it.
   *
   * @return the value as text; "" if that is not a value
   */
  public String defaultText() {
    return defaultText;
  }

  /**
   * Tells what the option does.
   *
   * @return a sentence
   */
  public String help() {
    return help;
  }

  /**
   * Name and value as text.
   *
   * @return such as "threads: a whole number"
   */
  @Override
  public String toString() {
    return name + ": " + value;
  }
}
