package org.mxinfer;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Makes objects of the whole numbers that the native code gives; Native says how they are laid out. */
final class Unpack {
  private final int[] numbers;
  private final String[] labels;
  private int next;

  private Unpack(int[] numbers, String[] labels) {
    this.numbers = numbers;
    this.labels = labels;
  }

  static List<Classification> classes(int[] numbers, String[] labels) {
    return new Unpack(numbers, labels).nextClasses();
  }

  /** Of a batch, whose samples have no errors of their own. */
  static List<List<Classification>> classesOfBatch(int[] numbers, String[] labels) {
    Unpack unpack = new Unpack(numbers, labels);
    List<List<Classification>> batch = new ArrayList<>();
    while (unpack.next < numbers.length) {
      batch.add(unpack.nextClasses());
    }
    return List.copyOf(batch);
  }

  static List<ItemResult<List<Classification>>> classesOfList(int[] numbers, String[] labels, ImageArg.Batch batch) {
    return classesOfList(numbers, labels, batch.messages, batch.errors);
  }

  static List<ItemResult<List<Classification>>> classesOfList(int[] numbers, String[] labels, byte[][] messages,
      MxinferException[] errors) {
    Unpack unpack = new Unpack(numbers, labels);
    return unpack.items(messages, errors, unpack::nextClasses);
  }

  static List<Detection> detections(int[] numbers, String[] labels) {
    return new Unpack(numbers, labels).nextDetections();
  }

  static List<ItemResult<List<Detection>>> detectionsOfList(int[] numbers, String[] labels, ImageArg.Batch batch) {
    Unpack unpack = new Unpack(numbers, labels);
    return unpack.items(batch.messages, batch.errors, unpack::nextDetections);
  }

  private <T> List<ItemResult<T>> items(byte[][] messages, MxinferException[] errors, Supplier<T> nextItem) {
    List<ItemResult<T>> items = new ArrayList<>();
    for (int i = 0; i < messages.length; i++) {
      int status = numbers[next];
      T value = nextItem.get();
      items.add(ItemResult.of(status, messages[i], errors[i], () -> value));
    }
    return List.copyOf(items);
  }

  private List<Classification> nextClasses() {
    Classification[] classes = new Classification[numbers[next + 1]];
    next += 2;
    for (int i = 0; i < classes.length; i++, next += 2) {
      int index = numbers[next];
      classes[i] = new Classification(label(index), number(next + 1), index);
    }
    return List.of(classes);
  }

  private List<Detection> nextDetections() {
    Detection[] detections = new Detection[numbers[next + 1]];
    next += 2;
    for (int i = 0; i < detections.length; i++) {
      int index = numbers[next];
      float[] landmarks = new float[numbers[next + 6]];
      for (int j = 0; j < landmarks.length; j++) {
        landmarks[j] = number(next + 7 + j);
      }
      detections[i] = new Detection(label(index), number(next + 1), index, number(next + 2), number(next + 3),
          number(next + 4), number(next + 5), landmarks);
      next += 7 + landmarks.length;
    }
    return List.of(detections);
  }

  private float number(int at) {
    return Float.intBitsToFloat(numbers[at]);
  }

  private String label(int index) {
    return index >= 0 && index < labels.length ? labels[index] : Integer.toString(index);
  }
}
