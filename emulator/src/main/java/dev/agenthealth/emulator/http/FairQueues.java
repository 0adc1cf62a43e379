package dev.agenthealth.emulator.http;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * Runs requests within the {@link Share} of their kind. Other requests wait in a queue per key, and the keys take turns. A flood of one
 * kind or one key therefore does not block the others. Thread-safe.
 */
final class FairQueues {

    private final Executor executor;
    private final Map<String, Kind> kinds = new ConcurrentHashMap<>();

    /** @param executor runs the requests that had to wait */
    FairQueues(Executor executor) {
        this.executor = executor;
    }

    /**
     * Runs a request now in the calling thread, or later in another thread.
     *
     * @param key the key that must have its turn
     * @return false if too many requests wait, so that this request does not run
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
                // In another thread: this thread's connection may have received its next request.
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

    /** The requests of one key. Its kind guards it. */
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

        /** The keys that have waiting requests and may run another request. */
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

        /** Ends a request of a flow and returns the request that runs instead, or null. */
        synchronized Turn end(Flow ended) {
            running--;
            ended.running--;
            // The flow is below its own limit again, and is not yet in the queue of flows.
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
