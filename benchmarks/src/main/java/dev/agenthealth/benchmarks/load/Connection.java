package dev.agenthealth.benchmarks.load;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A kept-alive HTTP/1.1 connection that sends prepared requests. It decodes only the status and the length of a response, since client and
 * server share the processors. Not thread-safe.
 */
final class Connection implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 120_000;
    private static final int BUFFER_BYTES = 65_536;
    private static final int MAX_LINE = 8_192;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final byte[] line = new byte[MAX_LINE];

    /**
     * A response.
     *
     * @param body empty if it was skipped
     */
    record Response(int status, byte[] body) {

        /** @throws IllegalStateException unless the status is a success */
        Response successful() {
            if (status >= 300) {
                throw new IllegalStateException("answered " + status + ": " + new String(body, StandardCharsets.UTF_8));
            }
            return this;
        }
    }

    Connection(URI server) throws IOException {
        socket = new Socket(server.getHost(), server.getPort());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        in = new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES);
        out = socket.getOutputStream();
    }

    /** Sends a request encoded by {@link Request}, and reads the whole response. */
    Response send(byte[] request) throws IOException {
        out.write(request);
        String first = readLine();
        int status = Integer.parseInt(first.substring(9, 12));
        long length = -1;
        boolean chunked = false;
        for (String header = readLine(); !header.isEmpty(); header = readLine()) {
            String lower = header.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Long.parseLong(
                        lower.substring("content-length:".length()).strip());
            } else if (lower.startsWith("transfer-encoding:")) {
                chunked = lower.endsWith("chunked");
            }
        }
        if (chunked) {
            return new Response(status, chunks());
        }
        return new Response(status, length > 0 ? body((int) length) : new byte[0]);
    }

    private byte[] chunks() throws IOException {
        var all = new java.io.ByteArrayOutputStream();
        while (true) {
            int size = Integer.parseInt(readLine().split(";")[0].strip(), 16);
            if (size == 0) {
                while (!readLine().isEmpty()) {
                    continue;
                }
                return all.toByteArray();
            }
            all.write(body(size));
            readLine();
        }
    }

    private byte[] body(int length) throws IOException {
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            throw new EOFException("the server closed the connection within a response");
        }
        return body;
    }

    private String readLine() throws IOException {
        int length = 0;
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the server closed the connection");
            }
            line[length++] = (byte) next;
        }
        int end = length > 0 && line[length - 1] == '\r' ? length - 1 : length;
        return new String(line, 0, end, StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
