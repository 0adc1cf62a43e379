package dev.agenthealth.functions.sweep.probes;

import dev.agenthealth.functions.runtime.threads.Waiting;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * The work of one batch by host: so few at the same time for each that a slow or dead host neither is flooded nor takes the threads of others. Not
 * thread-safe itself.
 */
final class HostLanes {

    /** Probes of one host at the same time by one run; twice as many by all, as there are at most {@link Probes#MAX_RUNS}. */
    static final int PER_HOST = 2;

    /** After so many time-outs in a row, a host is not asked again by this batch. */
    private static final int MAX_SILENT = 2 * PER_HOST;

    private final Executor executor;
    private final BooleanSupplier timeLeft;
    private final Map<String, Host> hosts = new LinkedHashMap<>();

    /** @param timeLeft whether there is time to begin one more */
    HostLanes(Executor executor, BooleanSupplier timeLeft) {
        this.executor = executor;
        this.timeLeft = timeLeft;
    }

    private static final class Host {

        private final Queue<Predicate<Boolean>> work = new ConcurrentLinkedQueue<>();
        private final AtomicInteger silent = new AtomicInteger();
    }

    /**
     * Adds work.
     *
     * @param work receives whether the host is asked, and returns whether it answered
     */
    void add(String host, Predicate<Boolean> work) {
        hosts.computeIfAbsent(host, name -> new Host()).work.add(work);
    }

    /** Does the work. Returns how much of it was left because the time was over. */
    int run() {
        List<Host> lanes = new ArrayList<>();
        for (Host host : hosts.values()) {
            for (int i = 0; i < Math.min(PER_HOST, host.work.size()); i++) {
                lanes.add(host);
            }
        }
        Waiting.onAll(lanes, this::drive, executor);
        return hosts.values().stream()
                .map(host -> host.work)
                .mapToInt(Collection::size)
                .sum();
    }

    /** Works for one host until nothing is left or the time is over. */
    private boolean drive(Host host) {
        while (timeLeft.getAsBoolean()) {
            Predicate<Boolean> next = host.work.poll();
            if (next == null) {
                return true;
            }
            if (next.test(host.silent.get() < MAX_SILENT)) {
                host.silent.set(0);
            } else {
                host.silent.incrementAndGet();
            }
        }
        return false;
    }
}
