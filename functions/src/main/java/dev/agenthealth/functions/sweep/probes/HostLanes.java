package dev.agenthealth.functions.sweep.probes;

import dev.agenthealth.model.identity.GroupNumber;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * The probes of one run, divided by owner and host. The owner with the fewest running probes is next, so that owners share the threads max-min
 * fair. No owner holds all threads, so that later probes of other owners begin at once. The number of
 * concurrent probes per host is limited for all owners together. Thread-safe.
 */
final class HostLanes {

    /** The maximum number of concurrent probes of a run. */
    static final int AT_ONCE = 100;

    /** The maximum number of concurrent probes of one owner in one run. */
    static final int PER_OWNER = 75;

    /**
     * The maximum number of concurrent probes of one host in one run. There are at most {@link Probes#MAX_RUNS} runs, so that a host gets
     * at most twice as many.
     */
    static final int PER_HOST = 2;

    /** The number of consecutive timeouts of one owner's agents at a host after which the owner's other agents there are not asked. */
    private static final int MAX_SILENT = 2 * PER_HOST;

    private final Executor executor;
    private final BooleanSupplier timeLeft;
    private final Map<Long, Owner> owners = new LinkedHashMap<>();
    private final Map<String, Integer> runningByHost = new HashMap<>();
    private final Set<String> waiting = new LinkedHashSet<>();
    private CountDownLatch idle = new CountDownLatch(0);
    private int running;

    /** @param timeLeft whether there is time for one more probe */
    HostLanes(Executor executor, BooleanSupplier timeLeft) {
        this.executor = executor;
        this.timeLeft = timeLeft;
    }

    private static final class Owner {

        private final Map<String, Lane> lanes = new LinkedHashMap<>();
        private final Map<String, Integer> runningByHost = new HashMap<>();
        private int running;
    }

    /** The agents of one owner at one host. */
    private static final class Lane {

        private final Queue<Work> work = new ArrayDeque<>();
        private int silent;
    }

    private record Work(ProbeQueue.Agent agent, String host, Predicate<Boolean> probe) {}

    private record Start(Work work, Owner owner, Lane lane) {

        /** Returns whether the agent is asked. Agents of unknown owners may have different owners. */
        boolean isAsked() {
            return lane.silent < MAX_SILENT || work.agent().owner() == GroupNumber.NONE;
        }
    }

    /**
     * Adds the probe of an agent. Does nothing if a probe of the agent waits already.
     *
     * @param probe receives whether to send a probe to the host, and returns whether the host answered
     */
    synchronized void add(ProbeQueue.Agent agent, String host, Predicate<Boolean> probe) {
        if (waiting.add(agent.agentId())) {
            owners.computeIfAbsent(agent.owner(), number -> new Owner())
                    .lanes
                    .computeIfAbsent(host, name -> new Lane())
                    .work
                    .add(new Work(agent, host, probe));
        }
    }

    /**
     * Begins probes and waits until all probes ended or the wait is over. Probes continue in the background.
     *
     * @return whether probes are still running
     */
    boolean run(Duration wait) {
        CountDownLatch end = new CountDownLatch(1);
        synchronized (this) {
            idle = end;
            begin();
            if (running == 0) {
                return false;
            }
        }
        try {
            return !end.await(wait.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** Returns the agents whose probes did not begin. */
    synchronized Set<String> left() {
        return Set.copyOf(waiting);
    }

    private void begin() {
        while (running < AT_ONCE && !waiting.isEmpty() && timeLeft.getAsBoolean()) {
            Optional<Start> next = next();
            if (next.isEmpty()) {
                return;
            }
            Start start = next.get();
            boolean asked = start.isAsked();
            running++;
            start.owner().running++;
            count(runningByHost, start.work().host(), 1);
            count(start.owner().runningByHost, start.work().host(), 1);
            executor.execute(() -> run(start, asked));
        }
    }

    private void run(Start start, boolean asked) {
        boolean answered = true;
        try {
            answered = start.work().probe().test(asked);
        } finally {
            ended(start, answered);
        }
    }

    private synchronized void ended(Start start, boolean answered) {
        running--;
        start.owner().running--;
        count(runningByHost, start.work().host(), -1);
        count(start.owner().runningByHost, start.work().host(), -1);
        start.lane().silent = answered ? 0 : start.lane().silent + 1;
        begin();
        if (running == 0) {
            idle.countDown();
        }
    }

    /** Takes the next probe: of the owner with the fewest running probes among owners that may begin one. */
    private Optional<Start> next() {
        List<Owner> byRunning = owners.values().stream()
                .filter(owner -> owner.running < PER_OWNER && !owner.lanes.isEmpty())
                .sorted(Comparator.comparingInt(owner -> owner.running))
                .toList();
        return byRunning.stream().flatMap(owner -> next(owner).stream()).findFirst();
    }

    /** Returns whether a host has a place for an owner. The second place of an owner is for another owner that waits for the host. */
    private boolean isFree(String host, Owner owner) {
        return runningByHost.getOrDefault(host, 0) < PER_HOST
                && (!owner.runningByHost.containsKey(host)
                        || owners.values().stream()
                                .noneMatch(other -> other != owner && other.lanes.containsKey(host)));
    }

    private static void count(Map<String, Integer> running, String host, int change) {
        running.merge(host, change, (before, more) -> before + more == 0 ? null : before + more);
    }

    private Optional<Start> next(Owner owner) {
        Optional<String> free = owner.lanes.keySet().stream()
                .filter(host -> isFree(host, owner))
                .findFirst();
        return free.map(host -> {
            Lane lane = owner.lanes.remove(host);
            Work work = lane.work.remove();
            waiting.remove(work.agent().agentId());
            // The hosts of an owner take turns. A lane without work is forgotten: the next agents of the host are
            // asked.
            if (!lane.work.isEmpty()) {
                owner.lanes.put(host, lane);
            }
            return new Start(work, owner, lane);
        });
    }
}
