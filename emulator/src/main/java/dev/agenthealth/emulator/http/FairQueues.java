package dev.agenthealth.emulator.http;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * Runs requests within the {@link Share} of their kind; the others wait in a queue for each key, and the keys take turns. So neither many requests
 * of one kind nor many of one key stop the others. Thread-safe.
 */
final class FairQueues {

    private final Executor executor;
    private final Map<String, Kind> kinds = new ConcurrentHashMap<>();

    /** @param executor runs the requests that had to wait */
    FairQueues(Executor executor) {
        this.executor = executor;
    }

    /**
     * Runs a request now in the calling thread, or later in another one.
     *
     * @param key whose turn it has to be
     * @return false where the request is not run because too many wait
     */
    boolean run(Share share, String key, Runnable request) {
        Kind kind = kinds.computeIfAbsent(share.name(), name -> new Kind(share));
        return switch (kind.admit(key, request)) {
            case RUNS -> {
                run(kind, kind.flow(key), request);
                yield true;
            }
            case WAITS -> true;
            case REFUSED -> false;
        };
    }

    private void run(Kind kind, Flow flow, Runnable request) {
        try {
            request.run();
        } finally {
            Turn next = kind.end(flow);
            if (next != null) {
                // Not in this thread, whose connection may have received its next request.
                executor.execute(() -> run(kind, next.flow(), next.request()));
            }
        }
    }

    private enum Admission {
        RUNS,
        WAITS,
        REFUSED
    }

    private record Turn(Flow flow, Runnable request) {}

    /** The requests of one key. Guarded by its kind. */
    private static final class Flow {

        private final String key;
        private final Deque<Runnable> waiting = new ArrayDeque<>();
        private int running;

        Flow(String key) {
            this.key = key;
        }
    }

    /** The requests of one kind. Thread-safe. */
    private static final class Kind {

        private final Share share;
        private final Map<String, Flow> flows = new HashMap<>();

        /** Those that have requests waiting and may run one. */
        private final Deque<Flow> ready = new ArrayDeque<>();

        private int running;
        private int waiting;

        Kind(Share share) {
            this.share = share;
        }

        synchronized Flow flow(String key) {
            return flows.get(key);
        }

        synchronized Admission admit(String key, Runnable request) {
            Flow flow = flows.computeIfAbsent(key, Flow::new);
            boolean mayRun = flow.running < share.maxRunningOfKey();
            if (mayRun && running < share.maxRunning()) {
                running++;
                flow.running++;
                return Admission.RUNS;
            }
            if (waiting >= share.maxWaiting() || flow.waiting.size() >= share.maxWaitingOfKey()) {
                forgetIfEmpty(flow);
                return Admission.REFUSED;
            }
            waiting++;
            flow.waiting.add(request);
            if (mayRun && flow.waiting.size() == 1) {
                ready.add(flow);
            }
            return Admission.WAITS;
        }

        /** Ends a request of a flow; returns the one that runs in its place, or null. */
        synchronized Turn end(Flow ended) {
            running--;
            ended.running--;
            // Below its own limit again, unless it was there before and waits for its turn.
            if (ended.running == share.maxRunningOfKey() - 1 && !ended.waiting.isEmpty()) {
                ready.add(ended);
            }
            forgetIfEmpty(ended);
            Flow next = ready.poll();
            if (next == null) {
                return null;
            }
            running++;
            next.running++;
            waiting--;
            Runnable request = next.waiting.remove();
            if (!next.waiting.isEmpty() && next.running < share.maxRunningOfKey()) {
                ready.add(next);
            }
            return new Turn(next, request);
        }

        private void forgetIfEmpty(Flow flow) {
            if (flow.running == 0 && flow.waiting.isEmpty()) {
                flows.remove(flow.key);
            }
        }
    }
}
