package dev.agenthealth.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import dev.agenthealth.dynamodb.EmbeddedDynamoDb;
import dev.agenthealth.template.Template;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Memory of a heartbeat on one machine, from the bytes of its request to the bytes of its answer. It does not depend on the machine's speed. */
@Tag("slow")
@Tag("R16-10")
class HeartbeatCostTest {

    private static final String KEY = "test-administrator-key";

    private static final int WARM_UP = 2_000;
    private static final int BATCHES = 20;
    private static final int BATCH = 50;

    private static final long MAX_BYTES = 50_000;

    @AutoClose
    private LocalSystem system;

    @BeforeEach
    void start() throws IOException {
        system = LocalSystem.start(LocalOptions.of(Template.find(), KEY)
                .byHand()
                .database(EmbeddedDynamoDb.inTemporaryFile(Clock.systemUTC()))
                .out(new PrintStream(OutputStream.nullOutputStream())));
    }

    @Test
    void a_heartbeat_allocates_little() throws IOException {
        assumeTrue(
                ManagementFactory.getThreadMXBean() instanceof ThreadMXBean, "this JVM does not count allocated bytes");
        URI url = URI.create(system.baseUrl());
        try (Socket connection = new Socket(url.getHost(), url.getPort())) {
            send(
                    connection,
                    "/api/v1/agents",
                    "{\"agent_id\":\"a\",\"owner_key_id\":\"administrator\",\"role_id\":\"r\"}");
            for (int i = 0; i < WARM_UP; i++) {
                sendHeartbeat(connection);
            }
            // Compilation allocates now and then; the least of several batches is without it.
            long least = Long.MAX_VALUE;
            for (int i = 0; i < BATCHES; i++) {
                long before = allocatedByServer();
                for (int j = 0; j < BATCH; j++) {
                    sendHeartbeat(connection);
                }
                least = Math.min(least, (allocatedByServer() - before) / BATCH);
            }
            System.out.println("a heartbeat allocates " + least + " bytes on one machine");
            assertThat(least).isPositive().isLessThan(MAX_BYTES);
        }
    }

    private static long allocatedByServer() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                .filter(thread -> thread != null && thread.getThreadName().startsWith("http-"))
                .mapToLong(thread -> threads.getThreadAllocatedBytes(thread.getThreadId()))
                .sum();
    }

    private static void sendHeartbeat(Socket connection) throws IOException {
        send(
                connection,
                "/api/v1/agents/a/heartbeat",
                "{\"status\":\"active\",\"current_load\":1,\"tasks_in_progress\":[],\"client_timestamp\":\""
                        + Instant.now() + "\"}");
    }

    /** Sends a request and reads the answer, whose body is the last JSON object. */
    private static void send(Socket connection, String path, String body) throws IOException {
        connection
                .getOutputStream()
                .write(("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nX-API-Key: " + KEY
                                + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n"
                                + body)
                        .getBytes(StandardCharsets.US_ASCII));
        InputStream in = connection.getInputStream();
        byte[] answer = new byte[16_384];
        int length = 0;
        while (length == 0 || answer[length - 1] != '}') {
            length += in.read(answer, length, answer.length - length);
        }
        assertThat(new String(answer, 0, length, StandardCharsets.US_ASCII)).startsWith("HTTP/1.1 20");
    }
}
