package dev.agenthealth.emulator.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.emulator.support.EmulatorLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.io.AbstractConnection;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections that send their next request at once, as many clients with keep-alive do. */
@Timeout(60)
class TurnEndPointTest {

    private static final int CLIENTS = 32;
    private static final int REQUESTS = 200;
    private static final int REQUESTS_PER_HANDOVER = 20;

    /** Reads a byte, ends its turn, and tries to read the next byte. */
    private static final class Reading extends AbstractConnection {

        private final List<Integer> filled = new ArrayList<>();
        private final CompletableFuture<List<Integer>> end = new CompletableFuture<>();

        Reading(EndPoint endPoint, QueuedThreadPool threads) {
            super(endPoint, threads);
        }

        @Override
        public void onOpen() {
            super.onOpen();
            fillInterested();
        }

        @Override
        public void onFillable() {
            ByteBuffer one = BufferUtil.allocate(1);
            try {
                filled.add(getEndPoint().fill(one));
                ((TurnEndPoint) getEndPoint()).endTurn();
                filled.add(getEndPoint().fill(BufferUtil.allocate(1)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            if (BufferUtil.toString(one).equals("c")) {
                end.complete(filled);
            } else {
                fillInterested();
            }
        }
    }

    @Test
    void a_connection_reads_nothing_after_its_turn_until_the_reader_has_looked_again() throws Exception {
        QueuedThreadPool threads = new QueuedThreadPool(8);
        ReaderThreads readers = new ReaderThreads("test", threads, System::nanoTime, EmulatorLog.none());
        CompletableFuture<Reading> reading = new CompletableFuture<>();
        SelectorManager selectors = new SelectorManager(threads, new ScheduledExecutorScheduler(), 1) {

            @Override
            protected EndPoint newEndPoint(SelectableChannel channel, ManagedSelector selector, SelectionKey key) {
                return new TurnEndPoint((SocketChannel) channel, selector, key, getScheduler(), readers);
            }

            @Override
            public Connection newConnection(SelectableChannel channel, EndPoint endPoint, Object attachment) {
                reading.complete(new Reading(endPoint, threads));
                return reading.join();
            }
        };
        threads.start();
        selectors.start();
        try (ServerSocketChannel port = ServerSocketChannel.open().bind(null);
                Socket client = new Socket(
                        InetAddress.getLoopbackAddress(), port.socket().getLocalPort())) {
            SocketChannel accepted = port.accept();
            client.getOutputStream().write("abc".getBytes(StandardCharsets.US_ASCII));
            accepted.configureBlocking(false);
            selectors.accept(accepted);
            assertThat(reading.join().end.join()).containsExactly(1, 0, 1, 0, 1, 0);
        } finally {
            selectors.stop();
            threads.stop();
        }
    }

    @Test
    void every_request_is_answered_in_the_order_of_its_connection() throws Exception {
        AtomicInteger answered = new AtomicInteger();
        Endpoint endpoint = request -> RawResponse.of(
                200, "text/plain", String.valueOf(answered.incrementAndGet()).getBytes(StandardCharsets.US_ASCII));
        try (WebServer server = WebServer.bind("127.0.0.1", 0, "http", EmulatorLog.none())) {
            server.start(endpoint);
            try (Socket socket = new Socket("127.0.0.1", server.port())) {
                String post = "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\n" + "y".repeat(5_000);
                String requests = post.repeat(20) + "GET /a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
                socket.getOutputStream().write(requests.getBytes(StandardCharsets.US_ASCII));
                String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                assertThat(answers.split("HTTP/1.1 200 OK", -1)).hasSize(22);
                assertThat(answers).endsWith("\r\n\r\n21");
            }
        }
    }

    @Test
    void a_head_and_a_body_arrive_in_order_if_the_system_takes_only_a_part_of_them() throws Exception {
        try (ServerSocketChannel port = ServerSocketChannel.open().bind(null);
                SocketChannel client = SocketChannel.open(port.getLocalAddress());
                SocketChannel accepted = port.accept()) {
            accepted.configureBlocking(false);
            TurnEndPoint endPoint = new TurnEndPoint(
                    accepted,
                    null,
                    null,
                    new ScheduledExecutorScheduler(),
                    new ReaderThreads("test", Runnable::run, System::nanoTime, EmulatorLog.none()));
            StringBuilder sent = new StringBuilder();
            ByteBuffer head = ByteBuffer.allocate(0);
            ByteBuffer body = ByteBuffer.allocate(0);
            for (int i = 0; head.remaining() + body.remaining() == 0; i++) {
                String text = i + "h".repeat(i % 900) + "\n" + i + "b".repeat(i % 1_100) + "\n";
                sent.append(text);
                int end = text.indexOf('\n');
                head = ByteBuffer.wrap(text.substring(0, end).getBytes(StandardCharsets.US_ASCII));
                body = ByteBuffer.wrap(text.substring(end).getBytes(StandardCharsets.US_ASCII));
                assertThat(endPoint.flush(head, body)).isEqualTo(head.remaining() + body.remaining() == 0);
            }
            ByteBuffer received = ByteBuffer.allocate(sent.length());
            while (received.hasRemaining()) {
                client.configureBlocking(false);
                client.read(received);
                endPoint.flush(head, body);
            }
            assertThat(new String(received.array(), StandardCharsets.US_ASCII)).isEqualTo(sent.toString());
        }
    }

    @Test
    void handovers_add_no_threads_that_answer_brief_requests() throws Exception {
        // Time stands still, so that no request takes too long.
        Limits limits = new Limits(CLIENTS, CLIENTS, Duration.ofSeconds(30), 1_024, () -> 0);
        AtomicInteger answering = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger answered = new AtomicInteger();
        try (WebServer server = WebServer.bind("127.0.0.1", 0, "http", limits, EmulatorLog.none())) {
            server.start(new Endpoint() {
                @Override
                public RawResponse answer(RawRequest request) {
                    if (answered.incrementAndGet() % REQUESTS_PER_HANDOVER == 0) {
                        server.beforeWaiting();
                    } else {
                        most.accumulateAndGet(answering.incrementAndGet(), Math::max);
                        Thread.yield();
                        answering.decrementAndGet();
                    }
                    return RawResponse.empty(204);
                }

                @Override
                public Share share(RawRequest head) {
                    return new Share("brief", 512, 4_096, Share.Kind.BRIEF);
                }
            });
            ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
            try {
                for (Future<?> client : clients.invokeAll(Collections.nCopies(CLIENTS, () -> requests(server)))) {
                    client.get();
                }
            } finally {
                clients.shutdownNow();
            }
        }
        assertThat(answered).hasValue(CLIENTS * REQUESTS);
        // Jetty may run a request in another thread if a handover ends at the same time.
        assertThat(most.get())
                .isLessThanOrEqualTo(
                        LimitedConnector.readers(Runtime.getRuntime().availableProcessors()) + 1);
    }

    private static Void requests(WebServer server) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            for (int i = 0; i < REQUESTS; i++) {
                socket.getOutputStream()
                        .write("GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                StringBuilder answer = new StringBuilder();
                while (answer.indexOf("\r\n\r\n") < 0) {
                    answer.append((char) socket.getInputStream().read());
                }
            }
        }
        return null;
    }

    @Test
    void each_processor_has_a_reader_up_to_four() {
        assertThat(List.of(1, 2, 3, 4, 8, 64).stream().map(LimitedConnector::readers))
                .containsExactly(1, 2, 3, 4, 4, 4);
    }
}
