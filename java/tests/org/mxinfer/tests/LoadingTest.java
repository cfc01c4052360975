package org.mxinfer.tests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

/** How the native library is found, each in a JVM of its own. */
public class LoadingTest {
  private static final String NATIVE_DIR = System.getProperty("mxinfer.native.dir");

  private static String[] run(List<String> options, String classPath) throws Exception {
    List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
    command.addAll(options);
    command.addAll(List.of("-cp", classPath, "org.mxinfer.tests.LoadingTest"));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new String[] {Integer.toString(process.waitFor()), output};
  }

  private static String classPath() {
    return System.getProperty("java.class.path");
  }

  /** The program of the other JVM. */
  public static void main(String[] arguments) {
    System.out.println("version " + org.mxinfer.Mxinfer.version());
  }

  @Test
  public void fromTheJarAndNothingIsLeft() throws Exception {
    Path folder = Files.createTempDirectory("mxinfer-loading");
    String[] result = run(List.of("-Djava.io.tmpdir=" + folder), classPath());
    assertEquals(result[1], "0", result[0]);
    assertTrue(result[1].startsWith("version "));
    assertEquals("nothing is left behind", 0, new File(folder.toString()).list().length);
    Files.delete(folder);
  }

  @Test
  public void fromAFolder() throws Exception {
    String[] result = run(List.of("-Dorg.mxinfer.library.path=" + NATIVE_DIR, "-Djava.io.tmpdir=/nowhere"), classPath());
    assertEquals(result[1], "0", result[0]);
    result = run(List.of("-Dorg.mxinfer.library.path=/nowhere"), classPath());
    assertTrue(result[1], result[0].equals("1") && result[1].contains("/nowhere/libmxinfer_jni.so")
        && result[1].contains("org.mxinfer.library.path"));
  }

  @Test
  public void aFolderThatCannotBeWrittenToIsTold() throws Exception {
    String[] result = run(List.of("-Djava.io.tmpdir=/nowhere"), classPath());
    assertEquals("1", result[0]);
    assertTrue(result[1], result[1].contains("java.io.tmpdir") && result[1].contains("org.mxinfer.library.path"));
  }

  /** A jar for another machine has no library for this one. */
  @Test
  public void fromTheLibraryPath() throws Exception {
    String classes = classPath().replace("mxinfer.jar", "classes");
    String[] result = run(List.of("-Djava.library.path=" + NATIVE_DIR), classes);
    assertEquals(result[1], "0", result[0]);
    result = run(List.of("-Djava.library.path=/nowhere"), classes);
    assertTrue(result[1], result[0].equals("1") && result[1].contains("org.mxinfer.library.path"));
  }
}
