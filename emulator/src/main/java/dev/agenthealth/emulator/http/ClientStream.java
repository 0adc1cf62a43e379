package dev.agenthealth.emulator.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Blocker;

/**
 * A response body in parts, each of which is sent at once. The connection of a client that does not receive a part in time is closed. The
 * stream may pause between parts. Not thread-safe.
 */
final class ClientStream extends OutputStream {

    private final Response response;
    private final Connections.Client client;

    ClientStream(Response response, Connections.Client client) {
        this.response = response;
        this.client = client;
    }

    @Override
    public void write(int single) throws IOException {
        write(new byte[] {(byte) single});
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        client.responseBegins();
        try (Blocker.Callback sent = Blocker.callback()) {
            response.write(false, ByteBuffer.wrap(bytes, offset, length), sent);
            sent.block();
        } finally {
            client.requestReceived();
        }
    }
}
