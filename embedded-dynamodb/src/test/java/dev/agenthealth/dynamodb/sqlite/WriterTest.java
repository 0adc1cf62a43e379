package dev.agenthealth.dynamodb.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Groups of changes, their failures, and threads that are interrupted. */
class WriterTest extends WriterFixture {

    /** Executes requests as one group: they wait while another change is applied. */
    private void together(Runnable... requests) throws InterruptedException {
        CountDownLatch applied = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        threads.add(new Thread(() -> writer.write((session, effect) -> {
            applied.countDown();
            await(go);
            return 0;
        })));
        threads.get(0).start();
        applied.await();
        for (Runnable request : requests) {
            Thread thread = new Thread(request);
            threads.add(thread);
            thread.start();
            awaitWaiting(thread);
        }
        go.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_change_that_fails_after_it_wrote_leaves_nothing() {
        assertThatThrownBy(() -> writer.write(storeAndFail("a")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a");

        assertThat(stored()).isZero();
    }

    @Test
    void a_change_that_fails_after_it_wrote_leaves_nothing_and_others_of_its_group_are_applied() throws Exception {
        List<RuntimeException> failures = new CopyOnWriteArrayList<>();

        together(
                () -> writer.write(store("a")),
                () -> {
                    try {
                        writer.write(storeAndFail("b"));
                    } catch (RuntimeException e) {
                        failures.add(e);
                    }
                },
                () -> writer.write(store("c")));

        assertThat(stored()).isEqualTo(2);
        assertThat(failures).singleElement().isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_change_that_fails_before_it_wrote_does_not_disturb_its_group() throws Exception {
        AtomicInteger applied = new AtomicInteger();

        together(
                () -> writer.write((session, effect) -> {
                    applied.incrementAndGet();
                    return store("a").apply(session, effect);
                }),
                () -> assertThatThrownBy(() -> writer.write((session, effect) -> {
                    throw new IllegalArgumentException();
                })));

        assertThat(stored()).isEqualTo(1);
        assertThat(applied).hasValue(1);
    }

    @Test
    void later_changes_see_what_a_change_alone_does_after_its_commit() throws Exception {
        AtomicInteger definition = new AtomicInteger();
        List<Integer> seen = new CopyOnWriteArrayList<>();
        Runnable look = () -> writer.write((session, effect) -> {
            effect.wrote();
            return seen.add(definition.get());
        });

        together(
                look,
                () -> writer.writeAlone((session, effect) -> {
                    effect.wrote();
                    effect.afterCommit(definition::incrementAndGet);
                    return 0;
                }),
                look);

        assertThat(seen).containsExactly(0, 1);
    }

    @Test
    void a_caller_hands_nothing_over_while_it_waits_for_a_change_without_a_sync() throws Exception {
        AtomicInteger handedOver = new AtomicInteger();
        writer.beforeWaiting(handedOver::incrementAndGet);
        CountDownLatch applies = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        Thread leader = new Thread(() -> writer.write(
                (session, effect) -> {
                    applies.countDown();
                    await(released);
                    return 0;
                },
                false));
        leader.start();
        await(applies);
        Thread caller = new Thread(() -> writer.write(store("a"), false));
        caller.start();
        while (caller.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        released.countDown();
        leader.join();
        caller.join();
        assertThat(handedOver).hasValue(0);
        assertThat(stored()).isOne();
    }

    @Test
    void an_action_that_uses_up_the_wake_up_of_its_thread_delays_no_change() throws Exception {
        CountDownLatch waits = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        writer.beforeWaiting(() -> {
            waits.countDown();
            // Waiting takes the wake-up that the release of the writer left for this thread.
            await(released);
        });
        CompletableFuture<Void> change = new CompletableFuture<>();
        writer.exclusively(own -> {
            Thread caller = new Thread(() -> {
                writer.write(store("a"));
                change.complete(null);
            });
            caller.setDaemon(true);
            caller.start();
            await(waits);
        });
        released.countDown();
        assertThat(change).succeedsWithin(Duration.ofSeconds(30));
        assertThat(stored()).isOne();
    }

    @Test
    void at_most_64_changes_that_wait_are_committed_together() throws Exception {
        List<String> steps = new CopyOnWriteArrayList<>();
        Runnable[] requests = new Runnable[70];
        Arrays.fill(requests, (Runnable) () -> writer.write((session, effect) -> {
            effect.wrote();
            effect.afterCommit(() -> steps.add("commit"));
            return steps.add("change");
        }));

        together(requests);

        List<String> expected = new ArrayList<>();
        // The change for which they wait is one of the 64.
        expected.addAll(Collections.nCopies(63, "change"));
        expected.addAll(Collections.nCopies(63, "commit"));
        expected.addAll(Collections.nCopies(7, "change"));
        expected.addAll(Collections.nCopies(7, "commit"));
        assertThat(steps).isEqualTo(expected);
    }

    @Test
    void changes_that_arrive_while_a_change_is_applied_share_its_commit() throws Exception {
        List<Long> storedAtCommit = new CopyOnWriteArrayList<>();
        Thread later = new Thread(() -> writer.write(store("later")));

        writer.write((session, effect) -> {
            later.start();
            awaitWaiting(later);
            effect.afterCommit(() -> storedAtCommit.add(stored()));
            return store("first").apply(session, effect);
        });
        later.join();

        assertThat(storedAtCommit).containsExactly(2L);
    }

    @Test
    void a_change_that_must_be_on_the_disk_does_not_share_a_commit_that_is_not_synced() throws Exception {
        List<Long> storedAtCommit = new CopyOnWriteArrayList<>();
        Thread later = new Thread(() -> writer.write(store("later"), true));

        writer.write(
                (session, effect) -> {
                    later.start();
                    awaitWaiting(later);
                    effect.afterCommit(() -> storedAtCommit.add(stored()));
                    return store("first").apply(session, effect);
                },
                false);
        later.join();

        assertThat(storedAtCommit).containsExactly(1L);
        assertThat(stored()).isEqualTo(2);
    }

    private static void awaitWaiting(Thread thread) {
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }

    @Test
    void what_follows_a_commit_or_a_rollback_is_done_after_it() {
        List<String> steps = new ArrayList<>();

        writer.write((session, effect) -> {
            effect.afterCommit(() -> steps.add("committed"));
            effect.afterRollback(() -> steps.add("not rolled back"));
            return store("a").apply(session, effect);
        });
        assertThatThrownBy(() -> writer.write((session, effect) -> {
                    effect.afterCommit(() -> steps.add("not committed"));
                    effect.afterRollback(() -> steps.add("rolled back"));
                    return storeAndFail("b").apply(session, effect);
                }))
                .isInstanceOf(IllegalArgumentException.class);

        assertThat(steps).containsExactly("committed", "rolled back");
    }

    @Test
    void work_alone_waits_for_a_change_and_its_thread_stays_interrupted() throws Exception {
        CountDownLatch applied = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        List<String> steps = new CopyOnWriteArrayList<>();
        Thread change = new Thread(() -> writer.write((session, effect) -> {
            applied.countDown();
            await(go);
            return steps.add("change");
        }));
        change.start();
        applied.await();
        Thread alone = new Thread(() -> {
            try {
                writer.exclusively(session -> steps.add("alone"));
                steps.add(Thread.currentThread().isInterrupted() ? "interrupted" : "not interrupted");
            } catch (SQLException e) {
                steps.add(e.toString());
            }
        });
        alone.start();
        while (alone.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        alone.interrupt();
        while (alone.isInterrupted()) {
            Thread.onSpinWait();
        }
        assertThat(steps).isEmpty();
        go.countDown();
        change.join();
        alone.join();

        assertThat(steps).containsExactly("change", "alone", "interrupted");
    }

    @Test
    void writes_after_the_close_fail() throws SQLException {
        file.close();

        assertThatThrownBy(() -> writer.write(store("a")))
                .isInstanceOf(WriteFailedException.class)
                .hasMessageContaining("the database is closed");
        open();
    }

    @Test
    void a_write_of_an_interrupted_thread_is_applied_and_the_thread_stays_interrupted() throws Exception {
        Thread.currentThread().interrupt();
        writer.write(store("a"));
        assertThat(Thread.interrupted()).isTrue();

        AtomicInteger interrupted = new AtomicInteger();
        Runnable request = () -> {
            writer.write(store(Thread.currentThread().getName()));
            if (Thread.currentThread().isInterrupted()) {
                interrupted.incrementAndGet();
            }
        };
        List<Thread> waiting = new ArrayList<>();
        together(
                () -> {
                    waiting.add(Thread.currentThread());
                    request.run();
                },
                () -> {
                    waiting.get(0).interrupt();
                    request.run();
                });

        assertThat(stored()).isEqualTo(3);
        assertThat(interrupted).hasValue(1);
    }

    @Test
    void what_could_not_be_synced_is_synced_later() throws IOException {
        writer.write(store("a"), false);
        Thread.currentThread().interrupt();
        assertThatThrownBy(file::sync).isInstanceOf(ClosedByInterruptException.class);
        assertThat(Thread.interrupted()).isTrue();

        assertThat(writer.takeUnsynced()).isTrue();
    }

    @Test
    void writes_are_refused_while_the_disk_is_full_and_applied_again_when_it_is_not() throws SQLException {
        writer.exclusively(session -> session.execute("PRAGMA max_page_count = 40"));
        List<WriteFailedException> failures = new ArrayList<>();
        String text = "x".repeat(4_000);
        for (int i = 0; i < 80; i++) {
            try {
                writer.write(store(i + text));
            } catch (WriteFailedException e) {
                failures.add(e);
            }
        }
        long before = stored();
        assertThat(before).isEqualTo(80 - failures.size()).isPositive();
        assertThat(failures).isNotEmpty().allMatch(WriteFailedException::isDiskFull);

        writer.exclusively(session -> session.execute("PRAGMA max_page_count = 4000"));
        for (int i = 80; i < 160; i++) {
            writer.write(store(i + text));
        }
        assertThat(stored()).isEqualTo(before + 80);
    }

    @Test
    void a_statement_that_failed_may_be_executed_again() throws SQLException {
        String fails = "SELECT abs(?)";
        assertThatThrownBy(() -> file.readers().read(session -> session.number(fails, 0, Long.MIN_VALUE)))
                .isInstanceOf(ReadFailedException.class);
        assertThat(file.readers().<Long>read(session -> session.number(fails, 0, -1L)))
                .isEqualTo(1);

        assertThatThrownBy(() -> writer.exclusively(session -> session.number(fails, 0, Long.MIN_VALUE)))
                .isInstanceOf(SQLException.class);
        writer.exclusively(session -> assertThat(session.number(fails, 0, -1L)).isEqualTo(1));
    }

    @Test
    void a_file_that_was_removed_is_not_created_again_by_reads_and_copies() throws IOException {
        Files.delete(folder.resolve("a.db"));

        assertThatThrownBy(this::stored).isInstanceOf(ReadFailedException.class);
        assertThatThrownBy(() -> file.copyTo(folder.resolve("copy.db"))).isInstanceOf(SQLException.class);
        assertThat(folder.resolve("a.db")).doesNotExist();
        assertThat(folder.resolve("copy.db")).doesNotExist();
    }

    @Test
    void an_exceeded_quota_is_a_full_disk() {
        SQLException quota = new SQLiteException("disk I/O error", SQLiteErrorCode.SQLITE_IOERR_WRITE);
        SQLException other = new SQLiteException("disk I/O error", SQLiteErrorCode.SQLITE_IOERR_READ);
        assertThat(new WriteFailedException(quota).isDiskFull()).isTrue();
        assertThat(new WriteFailedException(other).isDiskFull()).isFalse();
    }

    @Test
    void a_change_that_fails_after_any_statement_leaves_nothing() {
        assertThatThrownBy(() -> writer.write((session, effect) -> {
                    session.execute("INSERT INTO checkpoints (consumer, sequence) VALUES ('a', 1)");
                    effect.wrote();
                    throw new IllegalArgumentException("a");
                }))
                .isInstanceOf(IllegalArgumentException.class);
        writer.write(store("b"));

        assertThat(stored()).isEqualTo(1);
    }
}
