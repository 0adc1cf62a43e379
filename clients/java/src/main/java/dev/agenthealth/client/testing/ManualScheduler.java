package dev.agenthealth.client.testing;

import dev.agenthealth.client.Scheduler;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.Optional;
import java.util.TreeSet;

/**
 * A scheduler with a time that only a test moves. Tasks run one after the other on the thread that moves the time. Tests therefore need no
 * waiting and are deterministic. A thread that pauses moves the time as well. Thread-safe.
 */
public final class ManualScheduler implements Scheduler {

    private final TreeSet<Task> tasks =
            new TreeSet<>(Comparator.comparingLong(Task::at).thenComparing(Task::number));
    private long now;
    private long count;
    private boolean closed;

    private record Task(long at, long number, Runnable work) {}

    /** Returns a clock that shows {@code start} now and moves with this scheduler. */
    public Clock clock(Instant start) {
        return new MovedClock(start.minusNanos(nanoTime()));
    }

    private final class MovedClock extends Clock {

        private final Instant origin;

        MovedClock(Instant origin) {
            this.origin = origin;
        }

        @Override
        public Instant instant() {
            return origin.plusNanos(nanoTime());
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    @Override
    public synchronized long nanoTime() {
        return now;
    }

    @Override
    public synchronized Waiting schedule(Duration delay, Runnable work) {
        if (closed) {
            return () -> {};
        }
        Task task = new Task(now + Math.max(0, delay.toNanos()), count++, work);
        tasks.add(task);
        return () -> cancel(task);
    }

    /** Moves the time, and runs the tasks that become due, each at its time. */
    public void advance(Duration duration) {
        long end = nanoTime() + duration.toNanos();
        for (Optional<Task> task = next(end); task.isPresent(); task = next(end)) {
            task.get().work().run();
        }
        moveTo(end);
    }

    /** Runs the tasks that are due now. */
    public void runDue() {
        advance(Duration.ZERO);
    }

    /** Moves the time without running any task, like a suspended process. The next call runs the due tasks. */
    public synchronized void suspend(Duration duration) {
        now += duration.toNanos();
    }

    /** Advances the time like {@link #advance}. */
    @Override
    public void pause(Duration duration) {
        advance(duration);
    }

    @Override
    public synchronized void close() {
        tasks.clear();
        closed = true;
    }

    private synchronized void cancel(Task task) {
        tasks.remove(task);
    }

    /** Returns the next task until {@code end}, and sets the time to the task's time. */
    private synchronized Optional<Task> next(long end) {
        if (tasks.isEmpty() || tasks.first().at() > end) {
            return Optional.empty();
        }
        Task task = tasks.pollFirst();
        now = Math.max(now, task.at());
        return Optional.of(task);
    }

    private synchronized void moveTo(long end) {
        now = Math.max(now, end);
    }
}
