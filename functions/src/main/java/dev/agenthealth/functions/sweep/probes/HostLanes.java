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
 * The work of one batch, divided by host. The number of concurrent probes per host is limited. A slow host is therefore not overloaded, and
 * does not block threads of other hosts. Not thread-safe itself.
 */
final class HostLanes {

    /**
     * The maximum number of concurrent probes of one host in one run. There are at most {@link Probes#MAX_RUNS} runs, so that a host gets
     * at most twice as many.
     */
    static final int PER_HOST = 2;

    /** The number of consecutive timeouts after which this batch sends no more probes to a host. */
    private static final int MAX_SILENT = 2 * PER_HOST;

    private final Executor executor;
    private final BooleanSupplier timeLeft;
    private final Map<String, Host> hosts = new LinkedHashMap<>();

    /** @param timeLeft whether there is time for one more probe */
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
     * @param work receives whether to send a probe to the host, and returns whether the host answered
     */
    void add(String host, Predicate<Boolean> work) {
        hosts.computeIfAbsent(host, name -> new Host()).work.add(work);
    }

    /** Does the work. Returns the number of probes that were left because the time was over. */
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

    /** Works for one host until no work is left or the time is over. */
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
