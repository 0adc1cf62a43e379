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
 * Runs a few operations in every order in which their requests to the storage can follow each other: one request is one step, and
 * between two requests an operation sees nothing of the others.
 *
 * <p>Each order is a run of its own from a fresh start. The orders are walked depth first: a run follows a given beginning, goes on with
 * the first operation that is not finished, and tells where it could have gone another way.
 */
public final class Interleavings implements AutoCloseable {

    private static final long STUCK_AFTER_SECONDS = 20;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ThreadLocal<Actor> current = new ThreadLocal<>();
    private final Predicate<DynamoDbRequest> isStep;
    private final DynamoDbClient client;

    /**
     * @param delegate the real client
     * @param isStep which requests are steps; others pass, because they commute with everything
     */
    public Interleavings(DynamoDbClient delegate, Predicate<DynamoDbRequest> isStep) {
        this.isStep = isStep;
        this.client = new HookedDynamoDb(delegate, this::before);
    }

    /** What is run once in every order. */
    public interface Scenario {

        /** The operations that race, each to be run once. */
        List<Runnable> operations();

        /**
         * Looks at what came of it.
         *
         * @param order which operation went at each step, for the failure's message
         */
        void check(List<Integer> order);
    }

    /** The client through which the operations reach the storage; requests of other threads pass unhindered. */
    public DynamoDbClient client() {
        return client;
    }

    /** Runs a new scenario for every order; answers how many orders there were. */
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

    /** Which of the unfinished operations went, and which they were. */
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

    /** The beginning of the next order: the latest step that could still go another way, going it; null after the last order. */
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
