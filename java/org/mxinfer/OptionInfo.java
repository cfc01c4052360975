package org.mxinfer;

import java.util.List;

/** Describes one option. Never changes. */
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
   * Returns all options of the library.
   *
   * @return one for each option, in groups
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
   * Returns the name.
   *
   * @return such as "max_in_flight", which {@link Options} sets with {@code maxInFlight}
   */
  public String name() {
    return name;
  }

  /**
   * Returns the group of the option.
   *
   * @return "load", "run", "queue", "image", "scores" or "detector"
   */
  public String group() {
    return group;
  }

  /**
   * Returns what values the option takes.
   *
   * @return such as "a whole number"
   */
  public String value() {
    return value;
  }

  /**
   * Returns the default of the option.
   *
   * @return the value as text; "" if the default is not a value
   */
  public String defaultText() {
    return defaultText;
  }

  /**
   * Returns what the option does.
   *
   * @return a sentence
   */
  public String help() {
    return help;
  }

  /**
   * Returns name and value as text.
   *
   * @return such as "threads: a whole number"
   */
  @Override
  public String toString() {
    return name + ": " + value;
  }
}
