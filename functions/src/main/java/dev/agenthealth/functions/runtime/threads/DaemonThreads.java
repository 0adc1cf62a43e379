package dev.agenthealth.functions.runtime.threads;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates named threads that do not keep the process alive. */
public final class DaemonThreads {

    private DaemonThreads() {}

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
