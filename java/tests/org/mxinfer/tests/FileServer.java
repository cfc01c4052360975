package org.mxinfer.tests;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Serves the files of a folder on a free port of this machine alone, until it is closed. */
final class FileServer implements AutoCloseable {
  private final Path folder;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newFixedThreadPool(4);

  FileServer(Path folder) throws IOException {
    this.folder = folder;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  /** The address of a file of the folder, which need not be there. */
  URI uri(String name) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/" + name);
  }

  private void answer(HttpExchange exchange) throws IOException {
    Path file = folder.resolve(exchange.getRequestURI().getPath().substring(1));
    boolean wantsBody = !exchange.getRequestMethod().equals("HEAD");
    if (!Files.isRegularFile(file)) {
      exchange.sendResponseHeaders(404, -1);
    } else if (wantsBody) {
      byte[] body = Files.readAllBytes(file);
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    } else {
      exchange.getResponseHeaders().set("Content-Length", Long.toString(Files.size(file)));
      exchange.sendResponseHeaders(200, -1);
    }
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdown();
  }
}
