/**
 * mxinfer for Java: runs Apache MXNet models without MXNet.
 *
 * <pre>{@code
 * try (ImageClassifier classifier = new ImageClassifier("models/digits")) {
 *   System.out.println(classifier.classify(Path.of("seven.jpg"), 1).get(0).label());
 * }
 * }</pre>
 *
 * <p>What holds for all classes:
 *
 * <ul>
 *   <li>An argument that is null is a {@link java.lang.NullPointerException} with the argument's name. What does not
 *       fit otherwise is an {@link org.mxinfer.MxinferException} with a code and the library's message.
 *   <li>Any number of threads may use one {@link org.mxinfer.Model}, {@link org.mxinfer.Predictor}, {@link
 *       org.mxinfer.Classifier}, {@link org.mxinfer.ImageClassifier} or {@link org.mxinfer.ObjectDetector} at once.
 *   <li>These are closed by {@code close()}, or some time after nothing refers to them. A call after that is an {@link
 *       java.lang.IllegalStateException}; a call that runs meanwhile ends as if nothing had been closed.
 * </ul>
 */
package org.mxinfer;
