package dev.agenthealth.dynamodb.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Changes whose results precede their common commit. */
class DeferredChangesTest extends WriterFixture {

    private final List<String> steps = new ArrayList<>();

    /** Records when a change is applied and committed. */
    private Writer.Change<String> recorded(String consumer) {
        return (session, effect) -> {
            steps.add(consumer);
            effect.afterCommit(() -> steps.add("commit of " + consumer));
            return store(consumer).apply(session, effect);
        };
    }

    @Test
    void deferred_changes_share_a_commit() {
        writer.defer();
        assertThat(writer.write(recorded("a"), false)).isEqualTo("a");
        assertThat(writer.write(recorded("b"), false)).isEqualTo("b");
        assertThat(writer.hasDeferred()).isTrue();
        assertThat(stored()).isZero();

        assertThat(writer.commitDeferred()).isTrue();

        assertThat(stored()).isEqualTo(2);
        assertThat(steps).containsExactly("a", "b", "commit of a", "commit of b");
        assertThat(writer.takeUnsynced()).isTrue();
    }

    @Test
    void changes_after_the_commit_are_not_deferred() {
        writer.defer();
        writer.commitDeferred();
        writer.write(store("a"), false);
        assertThat(writer.hasDeferred()).isFalse();
        assertThat(stored()).isOne();
    }

    @Test
    void changes_of_several_threads_share_a_commit() throws InterruptedException {
        writer.defer();
        writer.write(recorded("a"), false);
        Thread other = new Thread(() -> {
            writer.defer();
            writer.write(recorded("b"), false);
            writer.commitDeferred();
        });
        other.start();
        other.join();
        assertThat(steps).containsExactly("a", "b", "commit of a", "commit of b");
        assertThat(writer.commitDeferred()).isTrue();
        assertThat(steps).hasSize(4);
    }

    @Test
    void at_most_64_changes_share_a_commit() {
        writer.defer();
        for (int i = 0; i < 65; i++) {
            writer.write(store("a" + i), false);
        }
        assertThat(stored()).isEqualTo(64);
        writer.commitDeferred();
        assertThat(stored()).isEqualTo(65);
    }

    @Test
    void a_change_that_must_be_on_the_disk_commits_the_deferred_changes_first() {
        writer.defer();
        writer.write(recorded("a"), false);
        writer.write(recorded("b"), true);
        assertThat(steps).containsExactly("a", "commit of a", "b", "commit of b");
        assertThat(stored()).isEqualTo(2);
        assertThat(writer.commitDeferred()).isTrue();
    }

    @Test
    void changes_of_other_threads_that_are_not_deferred_commit_the_deferred_changes_first()
            throws InterruptedException {
        writer.defer();
        writer.write(recorded("a"), false);
        Thread other = new Thread(() -> writer.write(recorded("b"), false));
        other.start();
        other.join();
        assertThat(steps).containsExactly("a", "commit of a", "b", "commit of b");
    }

    @Test
    void deferred_changes_do_not_wait_for_the_disk_of_others() throws InterruptedException {
        writer.defer();
        writer.write(store("a"), false);
        CountDownLatch waits = new CountDownLatch(1);
        CountDownLatch synced = new CountDownLatch(1);
        Thread other = new Thread(() -> writer.write((session, effect) -> {
            waits.countDown();
            await(synced);
            return store("b").apply(session, effect);
        }));
        other.start();
        await(waits);
        assertThat(writer.isCommitted()).isTrue();
        assertThat(writer.commitDeferred()).isTrue();
        assertThat(stored()).isOne();
        synced.countDown();
        other.join();
        assertThat(stored()).isEqualTo(2);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void work_alone_and_the_close_commit_the_deferred_changes_first() throws SQLException {
        writer.defer();
        writer.write(store("a"), false);
        writer.exclusively(session -> assertThat(session.number("SELECT count(*) FROM checkpoints", 0))
                .isOne());
        assertThat(stored()).isOne();
        writer.write(store("b"), false);
        file.close();
        assertThat(writer.commitDeferred()).isTrue();
        open();
        assertThat(stored()).isEqualTo(2);
    }

    @Test
    void without_an_exception_for_a_sync_nothing_is_deferred() throws SQLException {
        file.close();
        file = DatabaseFile.open(new Settings(folder.resolve("a.db"), false, Settings.Sync.ALWAYS));
        file.writer().defer();
        file.writer().write(store("a"), false);
        assertThat(file.writer().hasDeferred()).isFalse();
        assertThat(stored()).isOne();
    }

    @Test
    void a_change_that_fails_after_it_wrote_leaves_nothing_and_the_others_are_kept() {
        AtomicInteger applied = new AtomicInteger();
        writer.defer();
        writer.write(
                (session, effect) -> {
                    applied.incrementAndGet();
                    return store("a").apply(session, effect);
                },
                false);
        assertThatThrownBy(() -> writer.write(storeAndFail("b"), false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("b");
        writer.write(store("c"), false);
        assertThat(writer.commitDeferred()).isTrue();
        assertThat(stored()).isEqualTo(2);
        assertThat(applied).hasValue(2);
    }

    @Test
    void a_full_disk_refuses_changes_and_loses_none_that_was_confirmed() throws SQLException {
        writer.exclusively(session -> session.execute("PRAGMA max_page_count = 40"));
        String text = "x".repeat(4_000);
        int confirmed = 0;
        int refused = 0;
        for (int i = 0; i < 30; i++) {
            int written = 0;
            writer.defer();
            for (int j = 0; j < 4; j++) {
                try {
                    writer.write(store(i + "-" + j + text), false);
                    written++;
                } catch (WriteFailedException e) {
                    assertThat(e.isDiskFull()).isTrue();
                    refused++;
                }
            }
            confirmed += writer.commitDeferred() ? written : 0;
            assertThat(stored()).isGreaterThanOrEqualTo(confirmed);
        }
        assertThat(refused).isPositive();
        assertThat(confirmed).isPositive();

        writer.exclusively(session -> session.execute("PRAGMA max_page_count = 4000"));
        long before = stored();
        writer.defer();
        writer.write(store("after"), false);
        assertThat(writer.commitDeferred()).isTrue();
        assertThat(stored()).isEqualTo(before + 1);
    }
}
