package dev.agenthealth.functions.runtime.threads;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates named threads that do not keep the process alive. */
public final class DaemonThreads {

    /** The time after which a thread without a task ends. It is longer than the time between two passes of the sweep on one machine. */
    private static final int MAX_IDLE_SECONDS = 10;

    private DaemonThreads() {}

    /** Returns a pool of at most this many threads, which end if they have nothing to do. Further tasks wait in a queue without a bound. */
    public static ExecutorService pool(int threads, String name) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads, threads, MAX_IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), named(name));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** Creates threads named {@code name-1}, {@code name-2} and so on. */
    public static ThreadFactory named(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
