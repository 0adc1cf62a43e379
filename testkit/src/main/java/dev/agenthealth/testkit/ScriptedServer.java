package dev.agenthealth.testkit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server on the loopback address that responds with the bytes of a script, counts its connections and records the requests. Thread-safe.
 */
public final class ScriptedServer implements AutoCloseable {

    /** More than tests open at once. The system drops further connections, and a client retries after a second. */
    private static final int WAITING_CONNECTIONS = 1_000;

    private final ServerSocket server;
    private final Collection<Socket> open = new ConcurrentLinkedQueue<>();
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile Script script = Script.status(200);

    private ScriptedServer(ServerSocket server) {
        this.server = server;
        daemon(this::accept).start();
    }

    /**
     * A received request.
     *
     * @param line the first line
     * @param headers by lower-case names
     * @param body the body, of the length that the request declares
     */
    public record Request(String line, Map<String, String> headers, String body) {}

    /** Handles a request, or a connection. */
    @FunctionalInterface
    public interface Script {

        /**
         * Writes a response, or does something else.
         *
         * @param out receives the response; the connection is closed afterwards
         */
        void play(Request request, OutputStream out) throws IOException;

        /** Returns a script that responds with a status and no body. */
        static Script status(int status, String... headers) {
            return bytes("HTTP/1.1 " + status + " Whatever\r\n" + lines(headers) + "Content-Length: 0\r\n\r\n");
        }

        /** Returns a script that responds 200 with this body. */
        static Script body(String body, String... headers) {
            int length = body.getBytes(StandardCharsets.UTF_8).length;
            return bytes("HTTP/1.1 200 OK\r\n" + lines(headers) + "Content-Length: " + length + "\r\n\r\n" + body);
        }

        /** Returns a script that responds with exactly these bytes. */
        static Script bytes(String text) {
            return (request, out) -> out.write(text.getBytes(StandardCharsets.UTF_8));
        }

        private static String lines(String... headers) {
            StringBuilder lines = new StringBuilder();
            for (String header : headers) {
                lines.append(header).append("\r\n");
            }
            return lines.toString();
        }
    }

    /** Returns an HTTP server. */
    public static ScriptedServer http() {
        try {
            return new ScriptedServer(new ServerSocket(0, WAITING_CONNECTIONS, InetAddress.getLoopbackAddress()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns an HTTPS server. */
    public static ScriptedServer https(TestCertificates certificates) {
        try {
            return new ScriptedServer(
                    certificates.server().createServerSocket(0, WAITING_CONNECTIONS, InetAddress.getLoopbackAddress()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sets the script for further requests. */
    public ScriptedServer plays(Script next) {
        script = next;
        return this;
    }

    public int port() {
        return server.getLocalPort();
    }

    /** Returns the number of connections made to this server. */
    public int connections() {
        return connections.get();
    }

    /** Returns the completely read requests. */
    public List<Request> requests() {
        return List.copyOf(requests);
    }

    /** Waits, in a script, until the server is closed, so that the client gets no response. */
    public void hang() {
        try {
            closing.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                connections.incrementAndGet();
                open.add(socket);
                daemon(() -> serve(socket)).start();
            } catch (IOException e) {
                // Closed.
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            Request request = read(socket.getInputStream());
            requests.add(request);
            script.play(request, socket.getOutputStream());
            socket.getOutputStream().flush();
        } catch (IOException e) {
            // The client closed the connection, or its TLS handshake failed.
        }
    }

    private static Request read(InputStream in) throws IOException {
        String line = line(in);
        Map<String, String> headers = new TreeMap<>();
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            String[] parts = header.split(": ", 2);
            headers.put(parts[0].toLowerCase(Locale.ROOT), parts[1]);
        }
        byte[] body = in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
        return new Request(line, headers, new String(body, StandardCharsets.UTF_8));
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("the request ended early");
            }
            line.write(b);
        }
        return line.toString(StandardCharsets.UTF_8).stripTrailing();
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "scripted-server");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void close() {
        closing.countDown();
        try {
            server.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
