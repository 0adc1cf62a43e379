package dev.agenthealth.dynamodb.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sqlite.JDBC;

/** How many connections reads have, and what becomes of them. */
@Timeout(60)
class ReadersTest {

    private static final int MAX_CONNECTIONS = 6;

    private final List<Session> opened = new CopyOnWriteArrayList<>();
    private final Readers readers = new Readers(
            () -> {
                Session session = new Session(JDBC.createConnection("jdbc:sqlite::memory:", new Properties()));
                opened.add(session);
                return session;
            },
            MAX_CONNECTIONS);

    @AfterEach
    void close() throws SQLException {
        for (Session session : opened) {
            session.close();
        }
    }

    private static long one(Session session) throws SQLException {
        return session.number("SELECT 1", 0);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static Thread started(Runnable task) {
        Thread thread = new Thread(task);
        thread.start();
        return thread;
    }

    private static void awaitWaiting(Thread thread) {
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }

    @Test
    void a_connection_is_used_again_also_after_a_failure_of_the_caller() {
        assertThat(readers.<Long>read(ReadersTest::one)).isEqualTo(1);
        assertThatThrownBy(() -> readers.read(session -> {
                    throw new IllegalArgumentException();
                }))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(readers.<Long>read(ReadersTest::one)).isEqualTo(1);

        assertThat(opened).hasSize(1);
    }

    @Test
    void a_connection_that_failed_is_closed_and_replaced() {
        assertThatThrownBy(() -> readers.read(session -> session.number("SELECT x", 0)))
                .isInstanceOf(ReadFailedException.class);
        assertThat(readers.<Long>read(ReadersTest::one)).isEqualTo(1);

        assertThat(opened).hasSize(2);
        assertThatThrownBy(() -> one(opened.get(0))).isInstanceOf(SQLException.class);
    }

    private void begin() {
        readers.read(session -> session.statement("BEGIN").execute());
    }

    @Test
    void reads_together_have_one_connection_and_one_transaction() {
        List<Session> used = new ArrayList<>();
        readers.<Void>together(() -> {
            readers.snapshot(session -> used.add(session));
            readers.read(session -> used.add(session));
            assertThatThrownBy(this::begin).as("a transaction is open").isInstanceOf(ReadFailedException.class);
            return null;
        });
        assertThat(opened).hasSize(1);
        assertThat(used).containsExactly(opened.get(0), opened.get(0));
    }

    @Test
    void reads_together_end_their_transaction() {
        assertThat(readers.<Long>together(() -> readers.read(ReadersTest::one))).isEqualTo(1);
        begin();
        assertThat(opened).hasSize(1);
    }

    /** SQLite ends a transaction itself after some errors, for example of the disk. */
    @Test
    void a_failure_within_reads_together_leaves_the_others_to_another_connection() {
        for (int i = 0; i <= MAX_CONNECTIONS; i++) {
            assertThat(readers.<Long>together(() -> {
                        assertThatThrownBy(() -> readers.read(session -> {
                                    session.statement("ROLLBACK").execute();
                                    return session.number("SELECT x", 0);
                                }))
                                .isInstanceOf(ReadFailedException.class);
                        return readers.read(ReadersTest::one);
                    }))
                    .isEqualTo(1);
            assertThat(opened).as("each failed connection is replaced").hasSize(i + 2);
            Session failed = opened.get(i);
            assertThatThrownBy(() -> one(failed)).isInstanceOf(SQLException.class);
        }
    }

    @Test
    void reads_together_return_their_result_if_their_transaction_has_ended() {
        assertThat(readers.<Long>together(() -> {
                    readers.read(session -> session.statement("ROLLBACK").execute());
                    return readers.read(ReadersTest::one);
                }))
                .isEqualTo(1);
        assertThatThrownBy(() -> one(opened.get(0))).isInstanceOf(SQLException.class);
        assertThat(readers.<Long>read(ReadersTest::one)).isEqualTo(1);
    }

    @Test
    void reads_together_after_the_end_fail_and_open_nothing() throws SQLException {
        readers.close();
        assertThatThrownBy(() -> readers.together(() -> readers.read(ReadersTest::one)))
                .isInstanceOf(ReadFailedException.class)
                .hasMessageContaining("closed");
        assertThat(opened).isEmpty();
    }

    @Test
    void reads_together_without_a_connection_fail_on_their_own() {
        AtomicInteger failures = new AtomicInteger(2);
        Readers other = new Readers(
                () -> {
                    if (failures.getAndDecrement() > 0) {
                        throw new SQLException("too many files");
                    }
                    Session session = new Session(JDBC.createConnection("jdbc:sqlite::memory:", new Properties()));
                    opened.add(session);
                    return session;
                },
                1);
        assertThat(other.<Long>together(() -> {
                    assertThatThrownBy(() -> other.read(ReadersTest::one)).isInstanceOf(ReadFailedException.class);
                    return other.read(ReadersTest::one);
                }))
                .isEqualTo(1);
    }

    @Test
    void reads_beyond_the_maximum_wait() throws InterruptedException {
        // The driver loads its library at the first connection, which several threads must not do at once.
        readers.read(ReadersTest::one);
        CountDownLatch running = new CountDownLatch(MAX_CONNECTIONS);
        CountDownLatch go = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        Runnable read = () -> readers.read(session -> {
            running.countDown();
            await(go);
            return one(session);
        });
        for (int i = 0; i < MAX_CONNECTIONS; i++) {
            threads.add(started(read));
        }
        running.await();
        Thread late = started(read);
        awaitWaiting(late);
        assertThat(opened).hasSize(MAX_CONNECTIONS);

        go.countDown();
        threads.add(late);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(opened).hasSize(MAX_CONNECTIONS);
    }

    @ParameterizedTest
    @CsvSource({"1, 4", "2, 6", "4, 10", "7, 16", "64, 16"})
    void a_machine_with_few_processors_has_few_connections(int processors, int connections) {
        assertThat(Readers.maxConnections(processors)).isEqualTo(connections);
    }

    @Test
    void closing_waits_for_reads_and_closes_their_connections() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        List<Object> results = new CopyOnWriteArrayList<>();
        Thread read = started(() -> readers.read(session -> {
            running.countDown();
            await(go);
            return results.add(one(session));
        }));
        running.await();
        Thread closing = started(() -> {
            try {
                readers.close();
                results.add("closed");
            } catch (SQLException e) {
                results.add(e);
            }
        });
        awaitWaiting(closing);
        go.countDown();
        read.join();
        closing.join();

        assertThat(results).containsExactly(1L, "closed");
        assertThatThrownBy(() -> one(opened.get(0))).isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> readers.read(ReadersTest::one))
                .isInstanceOf(ReadFailedException.class)
                .hasMessage("the database is closed");
    }

    @Test
    void a_number_that_is_absent_is_the_given_one() {
        assertThat(readers.<Long>read(session -> session.number("SELECT 5", 7))).isEqualTo(5);
        assertThat(readers.<Long>read(session -> session.number("SELECT 5 WHERE 0", 7)))
                .isEqualTo(7);
        assertThat(readers.<Long>read(session -> session.number("SELECT NULL", 7)))
                .isEqualTo(7);
    }
}
