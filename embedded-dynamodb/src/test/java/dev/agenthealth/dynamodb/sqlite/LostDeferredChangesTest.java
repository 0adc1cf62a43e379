package dev.agenthealth.dynamodb.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Deferred changes that wait for others, are lost, or meet an error. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LostDeferredChangesTest extends WriterFixture {

    private static void await(CountDownLatch latch) {
        try {
            // If the latch stays closed, the assertions of the test fail.
            latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void inOtherThread(Runnable deferring) {
        Thread other = new Thread(() -> {
            writer.defer();
            deferring.run();
        });
        other.start();
        try {
            other.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void the_caller_of_a_change_that_is_lost_gets_to_know_it() {
        AtomicInteger applied = new AtomicInteger();
        writer.defer();
        writer.write(
                (session, effect) -> {
                    if (applied.getAndIncrement() > 0) {
                        throw new IllegalStateException("not again");
                    }
                    return store("a").apply(session, effect);
                },
                false);
        assertThatThrownBy(() -> writer.write(storeAndFail("b"), false)).isInstanceOf(IllegalArgumentException.class);
        assertThat(writer.commitDeferred()).isFalse();
        assertThat(stored()).isZero();
    }

    @Test
    void a_thread_that_waits_for_the_disk_of_others_sends_the_answers_whose_changes_are_committed() throws Exception {
        AtomicReference<Boolean> sent = new AtomicReference<>();
        CountDownLatch synced = new CountDownLatch(1);
        Thread reader = Thread.currentThread();
        writer.beforeWaiting(() -> {
            if (Thread.currentThread() == reader && writer.isCommitted()) {
                sent.compareAndSet(null, writer.commitDeferred());
                synced.countDown();
            }
        });
        writer.defer();
        writer.write(store("a"), false);
        CountDownLatch waits = new CountDownLatch(1);
        Thread other = new Thread(() -> writer.write((session, effect) -> {
            waits.countDown();
            await(synced);
            return store("b").apply(session, effect);
        }));
        other.start();
        await(waits);
        writer.write(store("c"), false);
        assertThat(sent).hasValue(true);
        assertThat(writer.hasDeferred()).as("the change after the wait").isTrue();
        assertThat(writer.commitDeferred()).isTrue();
        other.join();
        assertThat(stored()).isEqualTo(3);
    }

    @Test
    void after_an_error_a_change_without_a_commit_is_lost() {
        writer.defer();
        AtomicInteger applied = new AtomicInteger();
        writer.write(
                (session, effect) -> {
                    applied.incrementAndGet();
                    // The error occurs after the rollback, before the changes are applied alone.
                    effect.afterRollback(() -> {
                        throw new OutOfMemoryError("test");
                    });
                    return store("a").apply(session, effect);
                },
                false);
        inOtherThread(() ->
                assertThatThrownBy(() -> writer.write(storeAndFail("b"), false)).isInstanceOf(Throwable.class));
        assertThat(writer.commitDeferred()).isFalse();
        assertThat(applied).hasValue(1);
        writer.write(store("c"), false);
        assertThat(stored()).isOne();
    }

    @Test
    void a_change_that_was_decided_on_the_lost_change_of_another_thread_is_lost_too() {
        AtomicInteger applied = new AtomicInteger();
        inOtherThread(() -> writer.write(
                (session, effect) -> {
                    if (applied.getAndIncrement() > 0) {
                        throw new IllegalStateException("not again");
                    }
                    return store("a").apply(session, effect);
                },
                false));
        writer.defer();
        // Only the first change meets its condition. Its refusal is no failure.
        writer.write(
                (session, effect) -> {
                    boolean met = session.number("SELECT count(*) FROM checkpoints", 0) == 1;
                    return met ? store("b").apply(session, effect) : "refused";
                },
                false);
        inOtherThread(() ->
                assertThatThrownBy(() -> writer.write(storeAndFail("c"), false)).hasMessage("c"));
        assertThat(writer.commitDeferred()).isFalse();
        assertThat(stored()).isZero();
    }

    @Test
    void a_change_that_failed_is_not_applied_again() {
        AtomicInteger applied = new AtomicInteger();
        writer.defer();
        assertThatThrownBy(() -> writer.write(
                        (session, effect) -> {
                            if (applied.getAndIncrement() > 0) {
                                return store("a").apply(session, effect);
                            }
                            throw new IllegalStateException("the condition is not met");
                        },
                        false))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> writer.write(storeAndFail("b"), false)).hasMessage("b");
        assertThat(writer.commitDeferred()).isTrue();
        assertThat(applied).hasValue(1);
        assertThat(stored()).isZero();
    }

    @Test
    void a_deferred_change_is_settled_after_the_actions_of_its_commit() {
        List<Boolean> committed = new ArrayList<>();
        writer.defer();
        writer.write(
                (session, effect) -> {
                    effect.afterCommit(() -> committed.add(writer.isCommitted()));
                    return store("a").apply(session, effect);
                },
                false);
        assertThat(writer.commitDeferred()).isTrue();
        assertThat(committed).containsExactly(false);
    }
}
