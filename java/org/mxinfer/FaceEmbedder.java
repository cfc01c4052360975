package org.mxinfer;

import java.awt.image.BufferedImage;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Computes the vector of a face, as ArcFace and MobileFaceNet do. Two images of one person have vectors of nearly the
 * same direction, which {@link Faces#cosineSimilarity} compares. It works with any network that computes one vector
 * from an image.
 *
 * <pre>{@code
 * FaceEmbedder embedder = new FaceEmbedder("mobilefacenet", new Options().preset("insightface"));
 * float[] a = embedder.embed(photo, detection.getLandmarks());  // aligned, embedded, of length 1
 * float[] b = embedder.embed(Path.of("aligned.png"));           // a face that is aligned already
 * }</pre>
 */
public class FaceEmbedder extends Predictor {
  /**
   * Loads a model with default options.
   *
   * @param uri its path or address; see {@link Model#load(String, Options)}
   * @throws MxinferException as {@link #FaceEmbedder(String, Options)}
   */
  public FaceEmbedder(String uri) {
    this(uri, new Options());
  }

  /**
   * Loads a model. Its vectors are divided by their length.
   *
   * @param uri its path or address; see {@link Model#load(String, Options)}
   * @param options those of the groups "load", "run", "queue" and "image"
   * @throws MxinferException as {@link ImageClassifier#ImageClassifier(String, Options)}; INVALID_ARGUMENT also if the
   *     network does not compute one float32 vector from an image
   */
  public FaceEmbedder(String uri, Options options) {
    this(uri, options, true);
  }

  /**
   * Loads a model.
   *
   * @param uri its path or address; see {@link Model#load(String, Options)}
   * @param options those of the groups "load", "run", "queue" and "image"
   * @param normalize whether vectors are divided by their length; false: those of the network
   * @throws MxinferException as {@link #FaceEmbedder(String, Options)}
   */
  public FaceEmbedder(String uri, Options options, boolean normalize) {
    super(Native.FACE_EMBEDDER, openVision(Native.FACE_EMBEDDER, uri, options, normalize));
  }

  /**
   * Makes an embedder for a model.
   *
   * @param model the model, which may be closed afterwards
   * @param options those of the groups "run", "queue" and "image"
   * @param normalize whether vectors are divided by their length; false: those of the network
   * @throws MxinferException as {@link #FaceEmbedder(String, Options)}
   */
  public FaceEmbedder(Model model, Options options, boolean normalize) {
    super(Native.FACE_EMBEDDER, createVision(Native.FACE_EMBEDDER, model, options, normalize));
  }

  /**
   * Returns the vector of an image that shows an aligned face and nothing else.
   *
   * @param image the pixels, of any type; converted as those of a PNG
   * @return a new vector
   */
  public float[] embed(BufferedImage image) {
    return embed(ImageArg.of(image), null)[0];
  }

  /**
   * Returns the vector of an image that shows an aligned face and nothing else.
   *
   * @param path a local JPEG or PNG file
   * @return a new vector
   * @throws MxinferException NOT_FOUND, MALFORMED
   */
  public float[] embed(Path path) {
    return embed(ImageArg.of(path), null)[0];
  }

  /**
   * Returns the vector of an image that shows an aligned face and nothing else.
   *
   * @param uri an absolute address of a JPEG or PNG file: http, https, s3, hdfs or file
   * @return a new vector
   * @throws MxinferException NOT_FOUND, MALFORMED, an error of the network; INVALID_ARGUMENT: an address that is not
   *     absolute
   */
  public float[] embed(URI uri) {
    return embed(ImageArg.of(uri), null)[0];
  }

  /**
   * Returns the vector of an image that shows an aligned face and nothing else.
   *
   * @param encoded the contents of a JPEG or PNG file; no file is opened for them
   * @return a new vector
   * @throws MxinferException MALFORMED
   */
  public float[] embed(byte[] encoded) {
    return embed(ImageArg.of(encoded), null)[0];
  }

  /**
   * Returns the vector of a face in a photograph, which is aligned first.
   *
   * @param image the pixels, of any type; converted as those of a PNG
   * @param landmarks those of the face; see {@link Faces}
   * @return a new vector
   * @throws MxinferException INVALID_ARGUMENT: landmarks that cannot be those of a face, a network whose input is not
   *     square, the option "resize" of "short_side_crop"
   */
  public float[] embed(BufferedImage image, float[] landmarks) {
    return embedFaces(image, List.of(Objects.requireNonNull(landmarks, "landmarks"))).get(0);
  }

  /**
   * Returns the vectors of all faces of a photograph, which run as one batch.
   *
   * @param image the pixels, of any type; converted as those of a PNG
   * @param faces the landmarks of each
   * @return a vector for each
   * @throws MxinferException as {@link #embed(BufferedImage, float[])}
   */
  public List<float[]> embedFaces(BufferedImage image, List<float[]> faces) {
    return List.of(embed(ImageArg.of(image), landmarks(faces)));
  }

  /**
   * Returns the vector of a face in a photograph, which is aligned first.
   *
   * @param path a local JPEG or PNG file
   * @param landmarks those of the face; see {@link Faces}
   * @return a new vector
   * @throws MxinferException NOT_FOUND, MALFORMED, INVALID_ARGUMENT: landmarks that cannot be those of a face, a
   *     network whose input is not square, the option "resize" of "short_side_crop"
   */
  public float[] embed(Path path, float[] landmarks) {
    return embedFaces(path, List.of(Objects.requireNonNull(landmarks, "landmarks"))).get(0);
  }

  /**
   * Returns the vectors of all faces of a photograph, which run as one batch.
   *
   * @param path a local JPEG or PNG file
   * @param faces the landmarks of each
   * @return a vector for each
   * @throws MxinferException as {@link #embed(Path, float[])}
   */
  public List<float[]> embedFaces(Path path, List<float[]> faces) {
    return List.of(embed(ImageArg.of(path), landmarks(faces)));
  }

  /**
   * Returns the vector of a face in a photograph, which is aligned first.
   *
   * @param encoded the contents of a JPEG or PNG file; no file is opened for them
   * @param landmarks those of the face; see {@link Faces}
   * @return a new vector
   * @throws MxinferException MALFORMED, INVALID_ARGUMENT: landmarks that cannot be those of a face, a network whose
   *     input is not square, the option "resize" of "short_side_crop"
   */
  public float[] embed(byte[] encoded, float[] landmarks) {
    return embedFaces(encoded, List.of(Objects.requireNonNull(landmarks, "landmarks"))).get(0);
  }

  /**
   * Returns the vectors of all faces of a photograph, which run as one batch.
   *
   * @param encoded the contents of a JPEG or PNG file; no file is opened for them
   * @param faces the landmarks of each
   * @return a vector for each
   * @throws MxinferException as {@link #embed(byte[], float[])}
   */
  public List<float[]> embedFaces(byte[] encoded, List<float[]> faces) {
    return List.of(embed(ImageArg.of(encoded), landmarks(faces)));
  }

  private static float[] landmarks(List<float[]> faces) {
    float[][] list = Objects.requireNonNull(faces, "faces").toArray(new float[0][]);
    float[] all = new float[list.length * Faces.LANDMARK_NUMBERS];
    for (int i = 0; i < list.length; i++) {
      Faces.requireLandmarks(Objects.requireNonNull(list[i], "an element of faces"));
      System.arraycopy(list[i], 0, all, i * Faces.LANDMARK_NUMBERS, Faces.LANDMARK_NUMBERS);
    }
    return all;
  }

  /** `landmarks`: null for an aligned face. */
  private float[][] embed(ImageArg image, float[] landmarks) {
    Object[] vectors = call(
        address -> NativeVision.embed(address, image.source, image.bytes, image.size, landmarks));
    float[][] list = new float[vectors.length][];
    for (int i = 0; i < list.length; i++) {
      list[i] = (float[]) vectors[i];
    }
    return list;
  }

  /**
   * Returns the vectors of aligned faces, which run as one batch. An invalid image does not affect the others.
   *
   * @param images of any types and sizes
   * @return the vector of each, or its error
   * @throws MxinferException if the call itself is invalid
   */
  public List<ItemResult<float[]>> embedImages(List<BufferedImage> images) {
    return embed(ImageArg.Batch.of(Native.PIXELS, images, "images", ImageArg::of));
  }

  /**
   * Returns the vectors of aligned faces, which run as one batch. An invalid image does not affect the others.
   *
   * @param paths JPEG or PNG files
   * @return the vector of each, or its error
   * @throws MxinferException if the call itself is invalid
   */
  public List<ItemResult<float[]>> embedFiles(List<Path> paths) {
    return embed(ImageArg.Batch.ofFiles(paths));
  }

  /**
   * Returns the vectors of aligned faces, which run as one batch. An invalid image does not affect the others.
   *
   * @param uris absolute addresses of JPEG or PNG files: http, https, s3, hdfs or file
   * @return the vector of each, or its error
   * @throws MxinferException if the call itself is invalid
   */
  public List<ItemResult<float[]>> embedUris(List<URI> uris) {
    return embed(ImageArg.Batch.of(Native.FILE, uris, "uris", ImageArg::of));
  }

  /**
   * Returns the vectors of aligned faces, which run as one batch. An invalid image does not affect the others.
   *
   * @param encoded the contents of JPEG or PNG files
   * @return the vector of each, or its error
   * @throws MxinferException if the call itself is invalid
   */
  public List<ItemResult<float[]>> embedEncoded(List<byte[]> encoded) {
    return embed(ImageArg.Batch.of(Native.ENCODED, encoded, "encoded", ImageArg::of));
  }

  private List<ItemResult<float[]>> embed(ImageArg.Batch batch) {
    if (batch.items.length == 0) {
      return List.of();
    }
    int[] statuses = new int[batch.items.length];
    Object[] vectors = call(address -> NativeVision.embedList(address, batch.source, batch.items, batch.sizes, statuses,
        batch.messages));
    List<ItemResult<float[]>> results = new ArrayList<>();
    for (int i = 0; i < vectors.length; i++) {
      float[] vector = (float[]) vectors[i];
      results.add(ItemResult.of(statuses[i], batch.messages[i], batch.errors[i], () -> vector));
    }
    return List.copyOf(results);
  }
}
