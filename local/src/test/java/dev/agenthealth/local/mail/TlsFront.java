package dev.agenthealth.local.mail;

import dev.agenthealth.testkit.TestCertificates;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Encrypts the connections of a mail server that cannot, from the beginning or with STARTTLS. */
final class TlsFront implements AutoCloseable {

    private final ServerSocket encrypted;
    private final ServerSocket plain;

    /** @param port of the mail server */
    TlsFront(TestCertificates certificates, int port) throws IOException {
        InetAddress loopback = InetAddress.getByName("localhost");
        encrypted = certificates.server().createServerSocket(0, 1, loopback);
        plain = new ServerSocket(0, 1, loopback);
        boolean[] greeted = new boolean[1];
        accept(encrypted, client -> {
            Socket server = new Socket("127.0.0.1", port);
            if (greeted[0]) {
                line(server.getInputStream());
            }
            tunnel(client, server);
        });
        accept(plain, client -> {
            say(client, "220 ready\r\n");
            line(client.getInputStream());
            say(client, "250-front\r\n250 STARTTLS\r\n");
            line(client.getInputStream());
            say(client, "220 go ahead\r\n");
            greeted[0] = true;
            tunnel(client, new Socket(loopback, encrypted.getLocalPort()));
        });
    }

    int tlsPort() {
        return encrypted.getLocalPort();
    }

    int startTlsPort() {
        return plain.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        encrypted.close();
        plain.close();
    }

    /** What becomes of a connection. */
    @FunctionalInterface
    interface Connection {
        void use(Socket client) throws IOException;
    }

    /** Accepts connections until the server is closed, one after another. */
    static void accept(ServerSocket server, Connection connection) {
        start(() -> {
            while (!server.isClosed()) {
                try {
                    connection.use(server.accept());
                } catch (IOException e) {
                    // The client or the test has ended.
                }
            }
        });
    }

    private static void tunnel(Socket one, Socket other) {
        start(() -> pipe(one, other));
        start(() -> pipe(other, one));
    }

    private static void pipe(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // One of both has ended.
        }
    }

    static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            line.append((char) c);
        }
        return line.toString().strip();
    }

    static void say(Socket client, String text) throws IOException {
        OutputStream out = client.getOutputStream();
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "mail-front");
        thread.setDaemon(true);
        thread.start();
    }
}
