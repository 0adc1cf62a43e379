package dev.agenthealth.emulator.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers that wait for the common commit of their changes. */
@Timeout(60)
class HeldAnswersTest {

    private static final int CONNECTIONS_OF_READER = 8;
    private static final int ROUNDS = 20;
    private static final String HEAD = "POST /later HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\n";

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

        boolean isDeferring() {
            return deferred.get() != null;
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
    private final RecordedLog log = new RecordedLog();
    private final HeldAnswers answers = new HeldAnswers(log);
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

    @Test
    void a_request_whose_change_was_lost_while_it_waited_is_not_confirmed() {
        beginAndChange();
        commits.fails.set(true);
        answers.release();
        commits.fails.set(false);
        assertThat(answers.hold(sent::add)).isTrue();

        beginAndChange();
        answers.hold(sent::add);
        answers.release();
        assertThat(sent).containsExactly(false, true);
    }

    @Test
    void a_lost_change_does_not_refuse_the_next_request_of_the_thread() {
        beginAndChange();
        answers.hold(sent::add);
        commits.fails.set(true);
        answers.release();
        answers.enter();
        assertThat(answers.hold(sent::add)).isFalse();
        assertThat(sent).containsExactly(false);
    }

    private void beginAndChange() {
        answers.commits(commits);
        answers.enter();
        answers.defer();
        commits.change();
    }

    @Test
    void an_answer_that_cannot_be_sent_keeps_no_other_answer() {
        beginAndChange();
        answers.hold(committed -> {
            throw new IllegalStateException("the connection is closed");
        });
        answers.hold(sent::add);
        commits.fails.set(true);
        answers.exit();
        assertThat(sent).containsExactly(false);
        assertThat(answers.isReleasing()).isFalse();
        assertThat(log.lines()).containsExactly("response_failed the connection is closed");
    }

    @Test
    void an_error_of_the_commit_refuses_the_answers() {
        AtomicBoolean fails = new AtomicBoolean(true);
        answers.commits(new Commits() {
            @Override
            public void defer() {}

            @Override
            public boolean hasDeferred() {
                return true;
            }

            @Override
            public boolean isCommitted() {
                return false;
            }

            @Override
            public boolean commitDeferred() {
                if (fails.getAndSet(false)) {
                    throw new Error("no memory");
                }
                return true;
            }
        });
        answers.enter();
        answers.hold(sent::add);
        answers.release();
        answers.exit();
        assertThat(sent).containsExactly(false);
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
                return RawResponse.empty(204).with("Apigw-Requestid", "id-1");
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
        WebServer server = WebServer.bind("127.0.0.1", 0, "http", limits, log);
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
        String head = head(socket);
        return head.substring(0, head.indexOf("\r\n"));
    }

    private static String head(Socket socket) throws IOException {
        StringBuilder answer = new StringBuilder();
        while (answer.indexOf("\r\n\r\n") < 0) {
            answer.append((char) socket.getInputStream().read());
        }
        return answer.toString();
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
    void a_request_whose_body_arrives_later_runs_without_held_answers_and_defers_nothing() throws Exception {
        int readers = LimitedConnector.readers(Runtime.getRuntime().availableProcessors());
        List<Boolean> deferring = new CopyOnWriteArrayList<>();
        Semaphore heads = new Semaphore(0);
        Semaphore begun = new Semaphore(0);
        Semaphore go = new Semaphore(0);
        Endpoint endpoint = new Endpoint() {
            @Override
            public RawResponse answer(RawRequest request) {
                commits.change();
                if (request.rawPath().equals("/first")) {
                    begun.release();
                    go.acquireUninterruptibly();
                } else if (request.method().equals("POST")) {
                    deferring.add(commits.isDeferring());
                }
                return RawResponse.empty(204).with("Apigw-Requestid", "id-1");
            }

            @Override
            public Share share(RawRequest head) {
                if (head.method().equals("POST")) {
                    heads.release();
                    return new Share("other", 512, 4_096);
                }
                return new Share("brief", 512, 4_096, Share.Kind.BRIEF);
            }
        };
        List<Socket> sockets = new ArrayList<>();
        try (WebServer server = server(endpoint)) {
            for (int i = 0; i < readers * CONNECTIONS_OF_READER; i++) {
                sockets.add(new Socket("127.0.0.1", server.port()));
                send(sockets.get(i), "/before");
                firstLine(sockets.get(i));
            }
            Socket first = sockets.get(0);
            Socket later = sockets.get(readers);
            // Sends the body although the head is not acknowledged.
            later.setTcpNoDelay(true);
            // The reader looks at its connections in any order, and a second thread may read instead.
            for (int round = 0; round < ROUNDS; round++) {
                later.getOutputStream().write(HEAD.getBytes(StandardCharsets.US_ASCII));
                heads.acquire();
                // Lets the thread that has handed its connections over end its work.
                send(first, "/before");
                firstLine(first);
                send(first, "/first");
                begun.acquire();
                for (int i = 2 * readers; i < sockets.size(); i += readers) {
                    send(sockets.get(i), "/next");
                    if (i == 4 * readers) {
                        later.getOutputStream().write('x');
                    }
                }
                go.release();
                for (int i = 0; i < sockets.size(); i += readers) {
                    assertThat(firstLine(sockets.get(i))).isEqualTo("HTTP/1.1 204 No Content");
                }
            }
            assertThat(deferring).hasSize(ROUNDS).containsOnly(false);
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
            assertThat(head(socket))
                    .startsWith("HTTP/1.1 503 Service Unavailable\r\n")
                    .contains("Retry-After: 1\r\n", "Apigw-Requestid: id-1\r\n");
            assertThat(log.lines()).containsExactly("request_not_stored id-1");
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
