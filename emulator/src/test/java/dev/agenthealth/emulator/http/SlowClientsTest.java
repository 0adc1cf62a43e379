package dev.agenthealth.emulator.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.emulator.support.EmulatorLog;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients that hold connections, heads or bodies. The time of the deadlines is moved by the test. */
class SlowClientsTest {

    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final String BLOCKED = "GET /blocked HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final int BODY_BYTES = 128 * 1_024;

    private final AtomicLong ahead = new AtomicLong();
    private final AtomicLong received = new AtomicLong();
    private final CountDownLatch unblocked = new CountDownLatch(1);
    private final CountDownLatch[] blocked = {new CountDownLatch(2)};
    private final List<Socket> sockets = new ArrayList<>();
    private WebServer server;
    private int ownPort;

    @BeforeEach
    void start() throws IOException {
        Limits limits = new Limits(4, 2, Duration.ofSeconds(30), BODY_BYTES, () -> System.nanoTime() + ahead.get());
        server = WebServer.bind("0.0.0.0", 0, "http", limits, EmulatorLog.none());
        ownPort = server.openOwnPort();
        server.start(new Endpoint() {
            @Override
            public RawResponse answer(RawRequest request) {
                if (request.rawPath().equals("/blocked")) {
                    blocked[0].countDown();
                    await(unblocked);
                }
                received.set(request.body().length);
                return RawResponse.empty(200);
            }

            @Override
            public Share share(RawRequest head) {
                if (head.rawPath().equals("/starting")) {
                    blocked[0].countDown();
                    await(unblocked);
                }
                return Endpoint.super.share(head);
            }

            @Override
            public boolean needsOnlyStart(RawRequest head) {
                return head.rawPath().equals("/signal");
            }

            @Override
            public boolean hasValidKey(RawRequest head) {
                return head.header("x-api-key").startsWith("valid");
            }
        });
    }

    @AfterEach
    void stop() throws IOException {
        unblocked.countDown();
        for (Socket socket : sockets) {
            socket.close();
        }
        server.close();
    }

    @Test
    @Tag("slow")
    void a_head_has_a_deadline_however_often_a_byte_is_sent() throws IOException {
        Socket slow = connect("127.0.0.1");
        write(slow, "GET / HTT");
        pass(Duration.ofSeconds(7));
        write(slow, "P/1.1");
        pass(Duration.ofSeconds(7));
        assertThat(slow.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    @Tag("slow")
    void the_head_of_a_later_request_has_a_deadline_too() throws IOException {
        Socket slow = connect("127.0.0.1");
        write(slow, REQUEST);
        assertThat(status(slow)).isEqualTo("HTTP/1.1 200 OK");
        slow.getInputStream().skip(slow.getInputStream().available());
        pass(Duration.ofSeconds(20));
        write(slow, "GET /");
        while (slow.getInputStream().available() == 0 && isOpen(slow)) {
            pass(Duration.ofSeconds(11));
        }
        assertThat(isOpen(slow)).isFalse();
    }

    @Test
    @Tag("slow")
    void a_body_below_the_minimum_rate_ends_its_connection() throws IOException {
        Socket slow = connect("127.0.0.1");
        write(slow, head("", 1_000) + "x".repeat(100));
        pass(Duration.ofSeconds(7));
        assertThat(slow.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    @Tag("slow")
    void the_time_that_the_server_needs_before_it_reads_the_body_is_not_the_clients() throws IOException {
        blocked[0] = new CountDownLatch(1);
        Socket waits = connect("127.0.0.1");
        write(waits, REQUEST.replace("GET /", "GET /starting"));
        await(blocked[0]);
        Socket slow = connect("127.0.0.2");
        awaitConnections(2);
        pass(Duration.ofSeconds(70));
        assertThat(slow.getInputStream().read()).as("slow clients were closed").isEqualTo(-1);
        unblocked.countDown();
        assertThat(status(waits)).isEqualTo("HTTP/1.1 200 OK");
    }

    @Test
    void a_body_that_keeps_the_rate_is_received() throws IOException {
        Socket steady = connect("127.0.0.1");
        write(steady, head("valid", 50_000) + "x".repeat(40_000));
        assertThat(status(request("127.0.0.2"))).isEqualTo("HTTP/1.1 200 OK");
        pass(Duration.ofSeconds(10));
        write(steady, "x".repeat(10_000));
        assertThat(status(steady)).isEqualTo("HTTP/1.1 200 OK");
    }

    @Test
    void a_connection_without_a_request_makes_room_for_a_new_one() throws IOException {
        Socket first = connect("127.0.0.1");
        Socket second = connect("127.0.0.1");
        awaitConnections(2);
        pass(Duration.ofSeconds(3));
        assertThat(status(request("127.0.0.1"))).isEqualTo("HTTP/1.1 200 OK");
        assertThat(first.getInputStream().read()).isEqualTo(-1);
        write(second, REQUEST);
        assertThat(status(second)).isEqualTo("HTTP/1.1 200 OK");
    }

    @Test
    void a_new_connection_has_two_seconds_for_its_request_before_it_makes_room() throws IOException {
        Socket first = connect("127.0.0.1");
        Socket second = connect("127.0.0.1");
        awaitConnections(2);
        pass(Duration.ofMillis(1_500));
        assertThat(status(connect("127.0.0.1"))).isEqualTo("HTTP/1.1 503 Service Unavailable");
        write(first, REQUEST);
        assertThat(status(first)).isEqualTo("HTTP/1.1 200 OK");
        write(second, REQUEST);
        assertThat(status(second)).isEqualTo("HTTP/1.1 200 OK");
    }

    @Test
    void a_connection_that_is_idle_after_a_request_makes_room_before_a_new_one() throws IOException {
        Socket idle = request("127.0.0.1");
        assertThat(status(idle)).isEqualTo("HTTP/1.1 200 OK");
        awaitEndOfResponse();
        Socket fresh = connect("127.0.0.1");
        awaitConnections(2);
        assertThat(status(request("127.0.0.1"))).isEqualTo("HTTP/1.1 200 OK");
        idle.getInputStream().readAllBytes();
        write(fresh, REQUEST);
        assertThat(status(fresh)).isEqualTo("HTTP/1.1 200 OK");
    }

    @Test
    void the_longest_idle_connection_makes_room_first_then_one_without_a_request_then_a_busy_clients_one()
            throws IOException {
        Socket idle = request("127.0.0.1");
        assertThat(status(idle)).isEqualTo("HTTP/1.1 200 OK");
        awaitEndOfResponse();
        pass(Duration.ofSeconds(7));
        Socket silent = connect("127.0.0.1");
        awaitConnections(2);
        pass(Duration.ofSeconds(4));
        Socket third = request("127.0.0.1");
        assertThat(status(third)).isEqualTo("HTTP/1.1 200 OK");
        idle.getInputStream().readAllBytes();
        assertThat(isOpen(silent)).isTrue();
        assertThat(status(request("127.0.0.1"))).isEqualTo("HTTP/1.1 200 OK");
        assertThat(silent.getInputStream().read()).isEqualTo(-1);
        third.getInputStream().skip(third.getInputStream().available());
        assertThat(isOpen(third)).isTrue();
    }

    @Test
    void where_each_connection_has_a_request_a_new_one_of_the_address_is_refused_and_others_are_not()
            throws IOException {
        block("127.0.0.1");
        assertThat(status(connect("127.0.0.1"))).isEqualTo("HTTP/1.1 503 Service Unavailable");
        assertThat(status(request("127.0.0.2"))).isEqualTo("HTTP/1.1 200 OK");
    }

    @Test
    void the_own_port_answers_while_clients_can_connect_and_refuses_while_they_cannot() throws IOException {
        for (String address : List.of("127.0.0.1", "127.0.0.1", "127.0.0.2", "127.0.0.2")) {
            connect(address);
        }
        assertThat(own()).isEqualTo("HTTP/1.1 200 OK");
        awaitConnections(4);
        pass(Duration.ofSeconds(3));
        block("127.0.0.1");
        blocked[0] = new CountDownLatch(2);
        block("127.0.0.2");
        assertThat(status(connect("127.0.0.3"))).isEqualTo("HTTP/1.1 503 Service Unavailable");
        assertThat(own()).isEqualTo("HTTP/1.1 503 Service Unavailable");
        pass(Duration.ofSeconds(6));
        assertThat(own()).isEqualTo("HTTP/1.1 200 OK");
    }

    @Test
    void a_large_body_is_received_only_with_a_valid_key() throws IOException {
        assertThat(status(post("127.0.0.1", "invalid", 20_000))).isEqualTo("HTTP/1.1 401 Unauthorized");
        assertThat(status(post("127.0.0.1", "invalid", 16_000))).isEqualTo("HTTP/1.1 200 OK");
        assertThat(status(post("127.0.0.2", "valid", 20_000))).isEqualTo("HTTP/1.1 200 OK");
    }

    @Test
    void all_bodies_share_a_budget_of_which_one_key_has_half() throws IOException {
        Socket held = connect("127.0.0.1");
        write(held, head("valid-1", 60_000).replace("\r\n\r\n", "\r\nExpect: 100-continue\r\n\r\n"));
        assertThat(status(held)).isEqualTo("HTTP/1.1 100 Continue");
        assertThat(status(post("127.0.0.2", "valid-1", 20_000))).isEqualTo("HTTP/1.1 429 Too Many Requests");
        assertThat(status(post("127.0.0.2", "valid-2", 20_000))).isEqualTo("HTTP/1.1 200 OK");
        write(held, "x".repeat(60_000));
        assertThat(held.getInputStream().readNBytes("\n\r\n".length()))
                .asString()
                .isBlank();
        assertThat(status(held)).isEqualTo("HTTP/1.1 200 OK");
        assertThat(status(post("127.0.0.1", "valid-1", 60_000))).isEqualTo("HTTP/1.1 200 OK");
    }

    @ParameterizedTest
    @CsvSource({"valid, 20000000", "valid, 20000", "invalid, 2000000", "invalid, 20000"})
    void a_request_that_needs_only_the_start_of_its_body_is_answered_whatever_the_body_is(String key, int bytes)
            throws IOException {
        Socket socket = connect("127.0.0.1");
        write(socket, head(key, bytes).replace("POST / ", "POST /signal ") + "x".repeat(bytes));
        assertThat(status(socket)).isEqualTo("HTTP/1.1 200 OK");
        assertThat(received.get()).isEqualTo(ReceivedBody.SMALL_BYTES);
    }

    @Test
    void the_start_of_a_body_takes_no_part_of_the_budget() throws IOException {
        Socket held = connect("127.0.0.1");
        write(held, head("valid-1", 60_000).replace("\r\n\r\n", "\r\nExpect: 100-continue\r\n\r\n"));
        assertThat(status(held)).isEqualTo("HTTP/1.1 100 Continue");
        Socket signal = connect("127.0.0.2");
        write(signal, head("valid-1", 200_000).replace("POST / ", "POST /signal ") + "x".repeat(200_000));
        assertThat(status(signal)).isEqualTo("HTTP/1.1 200 OK");
    }

    private void block(String address) throws IOException {
        write(connect(address), BLOCKED);
        write(connect(address), BLOCKED);
        await(blocked[0]);
    }

    private void pass(Duration time) {
        ahead.addAndGet(time.toNanos());
    }

    /** Waits until the server has accepted so many connections. */
    private void awaitConnections(int count) {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (server.connections() < count) {
            assertThat(System.nanoTime()).as("accepted in time").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    /** The server notes the end of a response after the client has it. A later request, and the end of its connection, follow that note. */
    private void awaitEndOfResponse() throws IOException {
        int others = server.connections();
        try (Socket later = request("127.0.0.2")) {
            assertThat(status(later)).isEqualTo("HTTP/1.1 200 OK");
        }
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (server.connections() > others) {
            assertThat(System.nanoTime()).as("closed in time").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private Socket connect(String from) throws IOException {
        return open(new Socket(InetAddress.getLoopbackAddress(), server.port(), InetAddress.getByName(from), 0));
    }

    private Socket request(String from) throws IOException {
        Socket socket = connect(from);
        write(socket, REQUEST);
        return socket;
    }

    private Socket post(String from, String key, int bytes) throws IOException {
        Socket socket = connect(from);
        write(socket, head(key, bytes) + "x".repeat(bytes));
        return socket;
    }

    private String own() throws IOException {
        Socket socket = open(new Socket(InetAddress.getLoopbackAddress(), ownPort));
        write(socket, REQUEST);
        return status(socket);
    }

    private Socket open(Socket socket) throws IOException {
        sockets.add(socket);
        socket.setSoTimeout(20_000);
        return socket;
    }

    private static String head(String key, int length) {
        return "POST / HTTP/1.1\r\nHost: localhost\r\nX-API-Key: " + key + "\r\nContent-Length: " + length + "\r\n\r\n";
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    private static boolean isOpen(Socket socket) throws IOException {
        socket.setSoTimeout(100);
        try {
            return socket.getInputStream().read() >= 0;
        } catch (SocketTimeoutException e) {
            return true;
        } finally {
            socket.setSoTimeout(20_000);
        }
    }

    private static String status(Socket socket) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = socket.getInputStream().read();
                c >= 0 && c != '\r';
                c = socket.getInputStream().read()) {
            line.append((char) c);
        }
        return line.toString();
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(20, TimeUnit.SECONDS)) {
                throw new IllegalStateException("waited too long");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("no other thread interrupts this one", e);
        }
    }
}
