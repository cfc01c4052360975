package org.mxinfer.tests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.Test;
import org.mxinfer.DataDesc;
import org.mxinfer.Mxinfer;
import org.mxinfer.OptionInfo;
import org.mxinfer.Options;
import org.mxinfer.Predictor;
import org.mxinfer.Shape;
import org.mxinfer.SubmitOptions;

public class OptionsTest {
  private static String camel(String name) {
    StringBuilder text = new StringBuilder();
    for (String word : name.split("_")) {
      text.append(text.length() == 0 ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
    }
    return text.toString();
  }

  private static Method methodOf(String name) {
    for (Method method : Options.class.getMethods()) {
      if (method.getName().equals(name) && method.getParameterCount() == 1) {
        return method;
      }
    }
    return null;
  }

  /** What a typed method is tried with: the first word of the values for those that list some. */
  private static Object valueFor(Class<?> type, OptionInfo option) {
    if (type == int.class) {
      return 2;
    } else if (type == long.class) {
      return 2L;
    } else if (type == boolean.class) {
      return true;
    } else if (type == double.class) {
      return 0.5;
    } else if (type == double[].class) {
      return new double[] {1, 2, 3};
    } else if (type == Duration.class) {
      return Duration.ofMillis(3);
    } else if (type == Path.class) {
      return Path.of("tuning.json");
    } else if (type == List.class) {
      return option.name().equals("inputs") ? List.of(new DataDesc("data", Shape.of(-1, 3))) : List.of("a", "b\"c");
    }
    return option.value().split("[, ]")[0];
  }

  @Test
  public void everyOptionHasAMethodThatSetsIt() throws Exception {
    assertTrue(OptionInfo.all().size() > 30);
    for (OptionInfo option : OptionInfo.all()) {
      Method method = methodOf(camel(option.name()));
      assertNotNull("Options has no method for " + option, method);
      assertFalse(option.help().isEmpty());
      assertFalse(option.group().isEmpty());
      Options options = new Options();
      method.invoke(options, valueFor(method.getParameterTypes()[0], option));
      assertEquals(List.of(option.name()), List.copyOf(options.toMap().keySet()));
      if (!option.defaultText().isEmpty()) {
        new Options().set(option.name(), option.defaultText());
      }
    }
  }

  @Test
  public void valuesAreText() {
    Options options = new Options().threads(4).mean(1, 2, 3).maxDelay(Duration.ofMillis(2)).set("threads", "5");
    assertEquals(Map.of("threads", "5", "mean", "1.0,2.0,3.0", "max_delay", "2000"), options.toMap());
    assertEquals("{threads=5, mean=1.0,2.0,3.0, max_delay=2000}", options.toString());
  }

  @Test
  public void secretsAreNotShown() {
    Options options = new Options().s3Region("eu-west-1").s3SecretAccessKey("hush").s3SessionToken("hush");
    options.hdfsDelegationToken("hush").headers(List.of("Authorization: hush"));
    assertEquals(
        "{s3_region=eu-west-1, s3_secret_access_key=***, s3_session_token=***, hdfs_delegation_token=***, headers=***}",
        options.toString());
    assertEquals("hush", options.toMap().get("s3_session_token"));
  }

  @Test
  public void timesAreNeverRoundedToNone() {
    assertEquals("1", new Options().idleLimit(Duration.ofNanos(500_000)).toMap().get("idle_limit"));
    assertEquals("0", new Options().idleLimit(Duration.ZERO).toMap().get("idle_limit"));
    assertEquals("2", new Options().maxDelay(Duration.ofNanos(1001)).toMap().get("max_delay"));
    TestData.assertInvalid(() -> new Options().maxDelay(Duration.ofSeconds(Long.MAX_VALUE)), "max_delay");
  }

  @Test
  public void namesHaveOtherSpellings() {
    for (String name : List.of("bf16", "half", "fp16", "fp32", "float", "TF32")) {
      new Options().set("precision", name);
    }
    new Options().set("device", "gpu:0");
  }

  @Test
  public void whatIsWrongIsToldAndChangesNothing() {
    Options options = new Options().threads(4);
    TestData.assertInvalid(() -> options.set("thread", "4"), "thread", "threads");
    TestData.assertInvalid(() -> options.set("threads", "many"), "many");
    TestData.assertInvalid(() -> options.set("precision", "float8"), "float32, bfloat16, tf32 or float16");
    TestData.assertInvalid(() -> options.threads(-1), "-1");
    TestData.assertInvalid(() -> options.set("threads\0", "1"), "character 0");
    assertEquals(Map.of("threads", "4"), options.toMap());
    TestData.assertInvalid(() -> SubmitOptions.DEFAULT.withTimeout(Duration.ZERO), "timeout");
  }

  @Test
  public void optionsReachThePredictor() {
    TestData.assertInvalid(
        () -> new Predictor(TestData.DIGITS, List.of(new DataDesc("data", Shape.of(1, 2)), new DataDesc("x", Shape.of(1)))),
        "x");
    try (Predictor predictor = new Predictor(TestData.DIGITS, new Options().target("ref"))) {
      assertTrue(predictor.explain(Map.of()).contains("ref"));
    }
  }

  @Test
  public void theLibraryTellsWhatItIs() {
    assertTrue(Mxinfer.version().matches("\\d+\\.\\d+\\.\\d+"));
    assertTrue(Mxinfer.buildInfo().contains("\"" + Mxinfer.version() + "\""));
  }
}
