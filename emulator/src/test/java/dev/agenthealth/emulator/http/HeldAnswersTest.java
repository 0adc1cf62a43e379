package dev.agenthealth.emulator.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.emulator.support.EmulatorLog;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers that wait for the common commit of their changes. */
@Timeout(60)
class HeldAnswersTest {

    private static final int CONNECTIONS_OF_READER = 8;

    /** Each request of a thread that defers changes one thing. */
    private static final class CountedCommits implements Commits {

        private final ThreadLocal<Integer> deferred = new ThreadLocal<>();
        private final AtomicInteger commits = new AtomicInteger();
        private final AtomicBoolean fails = new AtomicBoolean();

        @Override
        public void defer() {
            if (deferred.get() == null) {
                deferred.set(0);
            }
        }

        void change() {
            if (deferred.get() != null) {
                deferred.set(deferred.get() + 1);
            }
        }

        @Override
        public boolean hasDeferred() {
            return deferred.get() != null && deferred.get() > 0;
        }

        @Override
        public boolean isCommitted() {
            return !hasDeferred();
        }

        @Override
        public boolean commitDeferred() {
            boolean committed = !hasDeferred();
            deferred.remove();
            if (!committed) {
                commits.incrementAndGet();
            }
            return committed || !fails.get();
        }
    }

    private final CountedCommits commits = new CountedCommits();
    private final HeldAnswers answers = new HeldAnswers();
    private final List<Boolean> sent = new ArrayList<>();

    @Test
    void answers_are_sent_after_one_commit() {
        answers.commits(commits);
        answers.enter();
        for (int i = 0; i < 3; i++) {
            answers.defer();
            commits.change();
            assertThat(answers.hold(sent::add)).isTrue();
        }
        assertThat(sent).isEmpty();
        answers.release();
        assertThat(sent).containsExactly(true, true, true);
        assertThat(commits.commits).hasValue(1);
    }

    @Test
    void a_request_without_a_change_is_answered_at_once() {
        answers.commits(commits);
        answers.enter();
        answers.defer();
        assertThat(answers.hold(sent::add)).isFalse();
    }

    @Test
    void a_thread_that_does_not_read_defers_and_holds_nothing() {
        answers.commits(commits);
        answers.defer();
        commits.change();
        assertThat(answers.hold(sent::add)).isFalse();
        answers.enter();
        answers.exit();
        answers.defer();
        commits.change();
        assertThat(commits.hasDeferred()).isFalse();
    }

    @Test
    void answers_whose_changes_wait_for_their_commit_are_not_sent_before_a_wait() {
        answers.commits(commits);
        answers.enter();
        answers.defer();
        commits.change();
        answers.hold(sent::add);
        answers.releaseCommitted();
        assertThat(sent).isEmpty();
        commits.deferred.set(0);
        answers.releaseCommitted();
        assertThat(sent).containsExactly(true);
    }

    /** Changes one thing for each request. The first requests wait until {@code go}. */
    private Endpoint endpoint(CountDownLatch waiting, CountDownLatch go) {
        return new Endpoint() {
            @Override
            public RawResponse answer(RawRequest request) {
                commits.change();
                if (request.rawPath().equals("/first")) {
                    waiting.countDown();
                    await(go);
                }
                return RawResponse.empty(204);
            }

            @Override
            public Share share(RawRequest head) {
                return new Share("brief", 512, 4_096, Share.Kind.BRIEF);
            }
        };
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private WebServer server(Endpoint endpoint) throws IOException {
        // Time stands still, so that no request takes too long.
        Limits limits = new Limits(256, 256, Duration.ofSeconds(30), 1_024, () -> 0);
        WebServer server = WebServer.bind("127.0.0.1", 0, "http", limits, EmulatorLog.none());
        server.commits(commits);
        server.start(endpoint);
        return server;
    }

    private static void send(Socket socket, String... paths) throws IOException {
        StringBuilder requests = new StringBuilder();
        for (String path : paths) {
            requests.append("GET ").append(path).append(" HTTP/1.1\r\nHost: localhost\r\n\r\n");
        }
        socket.getOutputStream().write(requests.toString().getBytes(StandardCharsets.US_ASCII));
    }

    private static String firstLine(Socket socket) throws IOException {
        StringBuilder answer = new StringBuilder();
        while (answer.indexOf("\r\n\r\n") < 0) {
            answer.append((char) socket.getInputStream().read());
        }
        return answer.substring(0, answer.indexOf("\r\n"));
    }

    @Test
    void requests_that_wait_for_a_reader_share_a_commit() throws Exception {
        int readers = LimitedConnector.readers(Runtime.getRuntime().availableProcessors());
        CountDownLatch waiting = new CountDownLatch(readers);
        CountDownLatch go = new CountDownLatch(1);
        List<Socket> sockets = new ArrayList<>();
        try (WebServer server = server(endpoint(waiting, go))) {
            // Jetty assigns connections to readers in turn.
            for (int i = 0; i < readers * CONNECTIONS_OF_READER; i++) {
                Socket socket = new Socket("127.0.0.1", server.port());
                sockets.add(socket);
                send(socket, "/before");
                assertThat(firstLine(socket)).isEqualTo("HTTP/1.1 204 No Content");
            }
            int before = commits.commits.get();
            for (int i = 0; i < readers; i++) {
                send(sockets.get(i), "/first");
            }
            waiting.await();
            for (int i = readers; i < sockets.size(); i++) {
                send(sockets.get(i), "/next");
            }
            go.countDown();
            for (Socket socket : sockets) {
                assertThat(firstLine(socket)).isEqualTo("HTTP/1.1 204 No Content");
            }
            assertThat(commits.commits.get() - before).isEqualTo(2 * readers);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    void a_lost_change_is_not_confirmed() throws Exception {
        commits.fails.set(true);
        CountDownLatch go = new CountDownLatch(0);
        try (WebServer server = server(endpoint(go, go));
                Socket socket = new Socket("127.0.0.1", server.port())) {
            send(socket, "/a");
            assertThat(firstLine(socket)).isEqualTo("HTTP/1.1 503 Service Unavailable");
        }
    }

    @Test
    void requests_in_the_buffer_of_a_held_answer_are_answered_in_their_order() throws Exception {
        CountDownLatch go = new CountDownLatch(0);
        try (WebServer server = server(endpoint(go, go));
                Socket socket = new Socket("127.0.0.1", server.port())) {
            for (int round = 0; round < 20; round++) {
                send(socket, "/a", "/b", "/c", "/d");
                for (int i = 0; i < 4; i++) {
                    assertThat(firstLine(socket)).isEqualTo("HTTP/1.1 204 No Content");
                }
            }
        }
    }
}
