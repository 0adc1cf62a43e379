package dev.agenthealth.local.crash;

import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Lets agents send requests, and heartbeats in their interval also while the requests pause. One thread pauses and resumes it. */
final class Load implements AutoCloseable {

    private static final int THREADS = 8;
    private static final int REQUESTS_PER_SECOND = 150;

    private final ScheduledExecutorService requests = Executors.newScheduledThreadPool(THREADS);
    private final ScheduledExecutorService heartbeats = Executors.newScheduledThreadPool(THREADS);
    private final ReadWriteLock running = new ReentrantReadWriteLock(true);
    private final List<String> failures = new CopyOnWriteArrayList<>();

    /** Starts with a pause. */
    Load(List<LoadAgent> agents, Random random) {
        pause();
        long millis = 1_000L * agents.size() / REQUESTS_PER_SECOND;
        int interval = (int) LoadAgent.INTERVAL.toMillis();
        for (LoadAgent agent : agents) {
            requests.scheduleWithFixedDelay(
                    () -> run(() -> step(agent)), random.nextInt(500), millis, TimeUnit.MILLISECONDS);
            heartbeats.scheduleAtFixedRate(
                    () -> run(agent::heartbeat), random.nextInt(interval), interval, TimeUnit.MILLISECONDS);
        }
    }

    void resume() {
        running.writeLock().unlock();
    }

    /** Returns when no request is under way. */
    void pause() {
        running.writeLock().lock();
    }

    /** What the test itself did wrong. */
    List<String> failures() {
        return failures;
    }

    private void step(LoadAgent agent) {
        try {
            // Without a time, it would go ahead of a pause that waits.
            if (running.readLock().tryLock(0, TimeUnit.SECONDS)) {
                try {
                    agent.step();
                } finally {
                    running.readLock().unlock();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            // The executor would end the task without a word.
            failures.add(e.toString());
        }
    }

    @Override
    public void close() {
        requests.shutdownNow();
        heartbeats.shutdownNow();
    }
}
