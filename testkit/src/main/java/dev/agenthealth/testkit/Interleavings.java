package dev.agenthealth.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/**
 * Runs concurrent operations in every possible order of their requests to the storage. One request is one step.
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
     * @param isStep which requests are steps; the others commute with all requests and are not ordered
     */
    public Interleavings(DynamoDbClient delegate, Predicate<DynamoDbRequest> isStep) {
        this.isStep = isStep;
        this.client = new HookedDynamoDb(delegate, this::before);
    }

    /** A scenario that is run once in every order. */
    public interface Scenario {

        /** The concurrent operations, each run once. */
        List<Runnable> operations();

        /**
         * Asserts on the outcome.
         *
         * @param order the index of the operation at each step, for the failure's message
         */
        void check(List<Integer> order);
    }

    /** The client for the operations; requests of other threads are not ordered. */
    public DynamoDbClient client() {
        return client;
    }

    /** Runs a new scenario for every order; returns the number of orders. */
    public int explore(Supplier<Scenario> scenarios) {
        int runs = 0;
        List<Integer> beginning = List.of();
        while (beginning != null) {
            Scenario scenario = scenarios.get();
            List<Step> steps = run(scenario.operations(), beginning);
            scenario.check(steps.stream().map(Step::actor).toList());
            runs++;
            beginning = next(steps);
        }
        return runs;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    /** The operation that made the step, and those that were unfinished. */
    private record Step(int actor, List<Integer> unfinished) {}

    private static final class Actor {
        private final Semaphore go = new Semaphore(0);
        private final Semaphore paused = new Semaphore(0);
        private volatile boolean finished;
        private volatile Throwable failure;
    }

    private List<Step> run(List<Runnable> operations, List<Integer> beginning) {
        List<Actor> actors = new ArrayList<>();
        for (Runnable operation : operations) {
            Actor actor = new Actor();
            actors.add(actor);
            threads.execute(() -> act(actor, operation));
            await(actor.paused);
        }
        List<Step> steps = new ArrayList<>();
        List<Integer> unfinished = unfinished(actors);
        while (!unfinished.isEmpty()) {
            int chosen = steps.size() < beginning.size() ? beginning.get(steps.size()) : unfinished.get(0);
            steps.add(new Step(chosen, unfinished));
            actors.get(chosen).go.release();
            await(actors.get(chosen).paused);
            unfinished = unfinished(actors);
        }
        for (Actor actor : actors) {
            if (actor.failure != null) {
                throw new AssertionError(
                        "an operation failed in the order "
                                + steps.stream().map(Step::actor).toList(),
                        actor.failure);
            }
        }
        return steps;
    }

    private void act(Actor actor, Runnable operation) {
        current.set(actor);
        try {
            operation.run();
        } catch (RuntimeException | AssertionError e) {
            actor.failure = e;
        } finally {
            current.remove();
            actor.finished = true;
            actor.paused.release();
        }
    }

    private void before(DynamoDbRequest request) {
        Actor actor = current.get();
        if (actor != null && isStep.test(request)) {
            actor.paused.release();
            await(actor.go);
        }
    }

    private static List<Integer> unfinished(List<Actor> actors) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < actors.size(); i++) {
            if (!actors.get(i).finished) {
                numbers.add(i);
            }
        }
        return numbers;
    }

    /** The prefix of the next order, which ends with the next alternative of the latest step that has one; null after the last order. */
    private static List<Integer> next(List<Step> steps) {
        for (int i = steps.size() - 1; i >= 0; i--) {
            Step step = steps.get(i);
            int place = step.unfinished().indexOf(step.actor());
            if (place + 1 < step.unfinished().size()) {
                List<Integer> beginning = new ArrayList<>(
                        steps.subList(0, i).stream().map(Step::actor).toList());
                beginning.add(step.unfinished().get(place + 1));
                return beginning;
            }
        }
        return null;
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
