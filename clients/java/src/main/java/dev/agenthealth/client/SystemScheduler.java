package dev.agenthealth.client;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Waits with one thread and works with as many threads as needed. A slow request or callback therefore never delays the heartbeats of other
 * agents.
 */
final class SystemScheduler implements Scheduler {

    private final ScheduledThreadPoolExecutor timer;
    private final ExecutorService workers;

    SystemScheduler() {
        timer = new ScheduledThreadPoolExecutor(1, daemons("agent-health-timer"));
        timer.setRemoveOnCancelPolicy(true);
        workers = Executors.newCachedThreadPool(daemons("agent-health"));
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public void pause(Duration duration) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(duration.toNanos());
    }

    @Override
    public Waiting schedule(Duration delay, Runnable task) {
        try {
            Future<?> waiting =
                    timer.schedule(() -> workers.execute(task), Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
            return () -> waiting.cancel(false);
        } catch (RejectedExecutionException e) {
            // Closed: later calls of the program's agents must not fail for that reason.
            return () -> {};
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
        workers.shutdown();
    }

    private static ThreadFactory daemons(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
