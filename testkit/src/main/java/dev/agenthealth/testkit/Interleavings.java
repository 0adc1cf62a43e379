package dev.agenthealth.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/**
 * Runs concurrent operations in chosen orders of their storage requests: in every order, in one order of each kind, or in the caller's
 * order. A request is a step.
 *
 * <p>Each order is a separate run of a new scenario. The search is depth first: a run follows a given prefix, continues with the first
 * unfinished operation, and records the alternatives of each step.
 */
public final class Interleavings implements AutoCloseable {

    private static final long STUCK_AFTER_SECONDS = 20;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ThreadLocal<Actor> current = new ThreadLocal<>();
    private final Predicate<DynamoDbRequest> isStep;
    private final DynamoDbClient client;

    /**
     * @param delegate the real client
     * @param isStep selects the requests that are steps; other requests commute with all requests and are not ordered
     */
    public Interleavings(DynamoDbClient delegate, Predicate<DynamoDbRequest> isStep) {
        this.isStep = isStep;
        this.client = new TestDynamoDb(delegate).with(new RequestInterceptor() {
            @Override
            public <T extends DynamoDbRequest, R> R intercept(T request, Function<T, R> next) {
                return sent(request, next);
            }
        });
    }

    /** A scenario that is run once in every order. */
    public interface Scenario {

        /** Returns the concurrent operations, each of which runs once. */
        List<Runnable> operations();

        /**
         * Asserts on the outcome.
         *
         * @param order the index of the operation at each step, for the failure's message
         */
        void check(List<Integer> order);
    }

    /** The fate of a request. */
    public enum Fate {
        ANSWERED,
        /** The request is applied, and its response is lost. */
        LOSES_RESPONSE,
        /** The operation's process ends before the request, with {@link Crash}. */
        CRASHES_BEFORE,
        /** The operation's process ends after the request was applied. */
        CRASHES_AFTER
    }

    /** The next step, by the index of its operation, and its fate. */
    public record Choice(int operation, Fate fate) {}

    /** Chooses the next step. */
    public interface Chooser {

        /**
         * Returns the choice among unfinished operations.
         *
         * @param next the next request of each unfinished operation
         */
        Choice choose(List<Integer> unfinished, Map<Integer, DynamoDbRequest> next);
    }

    /** Returns the client for the operations; requests of other threads are not ordered. */
    public DynamoDbClient client() {
        return client;
    }

    /** Runs a new scenario for every order and returns the number of orders. */
    public int explore(Supplier<Scenario> scenarios) {
        return explore(scenarios, false, Integer.MAX_VALUE, order -> {});
    }

    /**
     * Runs a new scenario for every order. Orders that differ only in requests on different items count as one. The scenarios of one search
     * must send the same requests in the same order.
     *
     * @param most the maximum number of orders
     * @param runs receives each checked order
     * @return the number of checked orders
     */
    public int exploreConflicts(Supplier<Scenario> scenarios, int most, Consumer<Order> runs) {
        return explore(scenarios, true, most, runs);
    }

    private int explore(Supplier<Scenario> scenarios, boolean conflictsOnly, int most, Consumer<Order> checked) {
        int runs = 0;
        DepthFirstSearch search = new DepthFirstSearch(conflictsOnly);
        do {
            Scenario scenario = scenarios.get();
            Order order = run(scenario.operations(), search);
            if (!search.isRedundant()) {
                scenario.check(order.operations());
                checked.accept(order);
                runs++;
            }
        } while (runs < most && search.advance());
        return runs;
    }

    /** Runs operations in the order that {@code chooser} chooses. */
    public Order run(List<Runnable> operations, Chooser chooser) {
        Run run = new Run(operations, chooser);
        run.begin();
        await(run.done);
        if (run.failure != null) {
            throw new AssertionError("an operation failed in the order " + run.order.operations(), run.failure);
        }
        return run.order;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    /** The steps of a run. */
    public static final class Order {

        private record Step(int operation, int number, Touched touched, Fate fate) {}

        private final List<Step> steps = new ArrayList<>();
        private final int[] counts;

        private Order(int operations) {
            counts = new int[operations];
        }

        private void add(int operation, DynamoDbRequest request, Fate fate) {
            steps.add(new Step(operation, counts[operation]++, Touched.by(request), fate));
        }

        /** Returns the index of the operation at each step. */
        public List<Integer> operations() {
            return steps.stream().map(Step::operation).toList();
        }

        /** Returns the number of steps. */
        public int size() {
            return steps.size();
        }

        /** Returns the position of an operation's first or last step; -1 if it has no step. */
        public int place(int operation, boolean last) {
            int place = -1;
            for (int i = 0; i < steps.size(); i++) {
                if (steps.get(i).operation == operation && (last || place < 0)) {
                    place = i;
                }
            }
            return place;
        }

        /** Returns the position of an operation's last writing step; -1 if it has no such step. */
        public int lastWrite(int operation) {
            for (int i = steps.size() - 1; i >= 0; i--) {
                if (steps.get(i).operation == operation && steps.get(i).touched.writes()) {
                    return i;
                }
            }
            return -1;
        }

        /** Returns a number that is equal for orders that differ only in steps without conflicts. */
        public long conflicts() {
            long sum = steps.size();
            for (int i = 0; i < steps.size(); i++) {
                Step later = steps.get(i);
                sum += mixed(later.operation * 1_000L + later.number, later.fate.ordinal() + 1L);
                for (int j = 0; j < i; j++) {
                    Step earlier = steps.get(j);
                    if (earlier.operation != later.operation && earlier.touched.conflicts(later.touched)) {
                        sum += mixed(
                                earlier.operation * 1_000L + earlier.number, later.operation * 1_000L + later.number);
                    }
                }
            }
            return sum;
        }

        private static long mixed(long one, long other) {
            long mixed = (one * 1_000_003 + other) * 0x9E3779B97F4A7C15L;
            mixed ^= mixed >>> 29;
            mixed *= 0xBF58476D1CE4E5B9L;
            return mixed ^ mixed >>> 32;
        }
    }

    private static final class Actor {
        private final Run run;
        private final int index;
        private final Semaphore go = new Semaphore(0);
        private DynamoDbRequest next;
        private Fate fate = Fate.ANSWERED;
        private boolean finished;

        Actor(Run run, int index) {
            this.run = run;
            this.index = index;
        }
    }

    /** A run. Only the operation whose turn it is runs, and it chooses the next operation. */
    private final class Run {
        private final List<Runnable> operations;
        private final Chooser chooser;
        private final List<Actor> actors = new ArrayList<>();
        private final Order order;
        private final Semaphore done = new Semaphore(0);
        private Throwable failure;

        Run(List<Runnable> operations, Chooser chooser) {
            this.operations = operations;
            this.chooser = chooser;
            this.order = new Order(operations.size());
        }

        void begin() {
            Actor actor = new Actor(this, actors.size());
            actors.add(actor);
            threads.execute(() -> act(actor));
        }

        private void act(Actor actor) {
            current.set(actor);
            try {
                operations.get(actor.index).run();
            } catch (RuntimeException | AssertionError | Crash e) {
                failure = failure == null ? e : failure;
            } finally {
                current.remove();
                actor.finished = true;
                handOver();
            }
        }

        void handOver() {
            if (actors.size() < operations.size()) {
                begin();
                return;
            }
            List<Integer> unfinished = new ArrayList<>();
            Map<Integer, DynamoDbRequest> next = new TreeMap<>();
            for (Actor actor : actors) {
                if (!actor.finished) {
                    unfinished.add(actor.index);
                    next.put(actor.index, actor.next);
                }
            }
            if (unfinished.isEmpty()) {
                done.release();
                return;
            }
            Choice choice = new Choice(unfinished.get(0), Fate.ANSWERED);
            try {
                choice = chooser.choose(unfinished, next);
            } catch (RuntimeException | AssertionError e) {
                failure = failure == null ? e : failure;
            }
            Actor chosen = actors.get(choice.operation());
            chosen.fate = choice.fate();
            order.add(chosen.index, chosen.next, chosen.fate);
            chosen.go.release();
        }
    }

    private <T extends DynamoDbRequest, R> R sent(T request, Function<T, R> operation) {
        Actor actor = current.get();
        if (actor == null || !isStep.test(request)) {
            return operation.apply(request);
        }
        actor.next = request;
        actor.run.handOver();
        await(actor.go);
        if (actor.fate == Fate.CRASHES_BEFORE) {
            throw new Crash();
        }
        R response = operation.apply(request);
        if (actor.fate == Fate.CRASHES_AFTER) {
            throw new Crash();
        }
        if (actor.fate == Fate.LOSES_RESPONSE) {
            throw Failures.lost();
        }
        return response;
    }

    private static void await(Semaphore semaphore) {
        try {
            if (!semaphore.tryAcquire(STUCK_AFTER_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("an operation hangs");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
