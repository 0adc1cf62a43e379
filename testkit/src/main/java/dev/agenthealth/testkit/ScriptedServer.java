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
 * A server on this machine's loopback address that answers byte for byte as a script says, counts its connections and keeps the requests.
 * Thread-safe.
 */
public final class ScriptedServer implements AutoCloseable {

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
     * A request as it came.
     *
     * @param line the first line
     * @param headers by names in lower case
     * @param body what followed, as long as the request says
     */
    public record Request(String line, Map<String, String> headers, String body) {}

    /** What is done with a request, or with a connection. */
    @FunctionalInterface
    public interface Script {

        /**
         * Answers, or does something else.
         *
         * @param request what came
         * @param out where the answer goes; the connection is closed afterwards
         */
        void play(Request request, OutputStream out) throws IOException;

        /** Answers with a status and no body. */
        static Script status(int status, String... headers) {
            return bytes("HTTP/1.1 " + status + " Whatever\r\n" + lines(headers) + "Content-Length: 0\r\n\r\n");
        }

        /** Answers 200 with this body. */
        static Script body(String body, String... headers) {
            int length = body.getBytes(StandardCharsets.UTF_8).length;
            return bytes("HTTP/1.1 200 OK\r\n" + lines(headers) + "Content-Length: " + length + "\r\n\r\n" + body);
        }

        /** Answers with these very bytes. */
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

    /** A server that speaks HTTP. */
    public static ScriptedServer http() {
        try {
            return new ScriptedServer(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A server that speaks HTTPS. */
    public static ScriptedServer https(TestCertificates certificates) {
        try {
            return new ScriptedServer(
                    certificates.server().createServerSocket(0, 50, InetAddress.getLoopbackAddress()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** From now on requests are answered so. */
    public ScriptedServer plays(Script next) {
        script = next;
        return this;
    }

    public int port() {
        return server.getLocalPort();
    }

    /** How many connections were made to it. */
    public int connections() {
        return connections.get();
    }

    /** The requests that were read to their end. */
    public List<Request> requests() {
        return List.copyOf(requests);
    }

    /** Waits, in a script, until the server is closed: whoever asked gets no answer. */
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
            // The other side went away, or never came so far.
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
