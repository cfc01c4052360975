package org.mxinfer;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * Loads the native library: from the folder that a system property names, from the jar, or, if the jar has none for
 * this machine, from java.library.path.
 *
 * <p>What is in the jar is written to a new folder that this user alone may read and write, loaded from there, and
 * deleted at once: the system keeps what is loaded.
 */
final class NativeLibrary {
  static final String FOLDER_PROPERTY = "org.mxinfer.library.path";
  private static final String NAME = "libmxinfer_jni.so";

  private NativeLibrary() {}

  static void load() {
    String folder = System.getProperty(FOLDER_PROPERTY);
    if (folder != null) {
      loadFile(Path.of(folder).toAbsolutePath().resolve(NAME), "the system property " + FOLDER_PROPERTY
          + " names its folder, which must hold libmxinfer_c.so and libmxinfer.so too, unless the system has them");
      return;
    }
    String resources = "/org/mxinfer/native/" + platform() + "/";
    if (NativeLibrary.class.getResource(resources + "files.txt") == null) {
      loadFromLibraryPath();
      return;
    }
    loadFromJar(resources);
  }

  /** As the folders in the jar are called: "linux-x86_64". */
  private static String platform() {
    String processor = System.getProperty("os.arch").replace("amd64", "x86_64");
    return System.getProperty("os.name").toLowerCase(java.util.Locale.ROOT) + "-" + processor;
  }

  private static void loadFromLibraryPath() {
    try {
      System.loadLibrary("mxinfer_jni");
    } catch (UnsatisfiedLinkError e) {
      throw failure("mxinfer's jar has no native library for " + platform() + ", and java.library.path ("
          + System.getProperty("java.library.path") + ") has none either; set the system property " + FOLDER_PROPERTY
          + " to a folder with " + NAME, e);
    }
  }

  private static void loadFromJar(String resources) {
    List<Path> written = new ArrayList<>();
    try {
      Path folder = Files.createTempDirectory("mxinfer-",
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      written.add(folder);
      for (String name : namesIn(resources + "files.txt")) {
        Path file = folder.resolve(name);
        written.add(file);
        try (InputStream from = open(resources + name)) {
          Files.copy(from, file);
        }
      }
      loadFile(folder.resolve(NAME), "it was written there from mxinfer's jar; if programs may not be run from there, "
          + "set the system property java.io.tmpdir to a folder where they may, or " + FOLDER_PROPERTY
          + " to a folder that holds the files of the jar's " + resources);
    } catch (IOException e) {
      throw failure("mxinfer's native library could not be written to a new folder in "
          + System.getProperty("java.io.tmpdir") + ": " + e + "; set the system property java.io.tmpdir to a folder "
          + "that may be written to, or " + FOLDER_PROPERTY + " to a folder that holds the files of the jar's "
          + resources, e);
    } finally {
      delete(written);
    }
  }

  private static List<String> namesIn(String resource) throws IOException {
    try (BufferedReader lines = new BufferedReader(new InputStreamReader(open(resource), StandardCharsets.UTF_8))) {
      List<String> names = new ArrayList<>();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        names.add(line);
      }
      return names;
    }
  }

  private static InputStream open(String resource) throws IOException {
    InputStream stream = NativeLibrary.class.getResourceAsStream(resource);
    if (stream == null) {
      throw new IOException("the jar has no " + resource);
    }
    return stream;
  }

  private static void loadFile(Path file, String hint) {
    try {
      System.load(file.toString());
    } catch (UnsatisfiedLinkError e) {
      throw failure("mxinfer's native library " + file + " could not be loaded: " + e.getMessage() + "; " + hint, e);
    }
  }

  private static UnsatisfiedLinkError failure(String message, Throwable cause) {
    UnsatisfiedLinkError error = new UnsatisfiedLinkError(message);
    error.initCause(cause);
    return error;
  }

  /** Folders come before what is in them. */
  private static void delete(List<Path> files) {
    for (int i = files.size() - 1; i >= 0; i--) {
      try {
        Files.deleteIfExists(files.get(i));
      } catch (IOException e) {
        files.get(i).toFile().deleteOnExit();
      }
    }
  }
}
