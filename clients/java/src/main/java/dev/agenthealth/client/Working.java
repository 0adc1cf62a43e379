package dev.agenthealth.client;

import java.util.Iterator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A task, or a call within it: a call of a model, a call of a tool, or a wait for a person. Thread-safe.
 *
 * <p>Heartbeats report the activity that is longest without progress, so that the registry finds agents that are alive but stuck. The
 * beginning and the end of a call count as progress of its parent.
 */
public class Working implements AutoCloseable {

    private final Activities activities;
    private final Activities.Activity activity;

    Working(Activities activities, Activities.Phase phase, Optional<Activities.Activity> parent) {
        this(activities, phase, parent, "");
    }

    Working(Activities activities, Activities.Phase phase, Optional<Activities.Activity> parent, String waitsFor) {
        this(activities, activities.begin(phase, parent, waitsFor));
    }

    private Working(Activities activities, Activities.Activity activity) {
        this.activities = activities;
        this.activity = activity;
    }

    /** Begins a call of a tool of which nothing is known. */
    static Working ofTool(Activities activities, Optional<Activities.Activity> parent) {
        return new Working(activities, activities.beginTool(parent));
    }

    /** Begins a call of a tool. Only a hash of the arguments is kept. */
    static Working ofTool(
            Activities activities, String name, Object[] arguments, Optional<Activities.Activity> parent) {
        return new Working(activities, activities.beginTool(name, Repetitions.signature(name, arguments), parent));
    }

    /** Reports progress. */
    public void progress() {
        activities.progress(activity);
    }

    /** Returns the same elements; reading an element counts as progress. */
    public <T> Stream<T> each(Stream<T> elements) {
        return elements.peek(element -> progress());
    }

    /** Returns the same elements; reading an element counts as progress. */
    public <T> Iterable<T> each(Iterable<T> elements) {
        return () -> {
            Iterator<T> iterator = elements.iterator();
            return new Iterator<>() {
                @Override
                public boolean hasNext() {
                    return iterator.hasNext();
                }

                @Override
                public T next() {
                    T next = iterator.next();
                    progress();
                    return next;
                }
            };
        };
    }

    /** Begins a call of a model, which lasts until it is closed. */
    public Working model() {
        return new Working(activities, Activities.Phase.MODEL, Optional.of(activity));
    }

    /** Begins a call of a tool, which lasts until it is closed. */
    public Working tool() {
        return ofTool(activities, Optional.of(activity));
    }

    /**
     * Begins a call of a tool, which lasts until it is closed. A call that repeats an earlier one is no progress, and heartbeats report how
     * often calls were repeated.
     *
     * @param arguments the arguments, compared by their hash codes; only a hash is kept
     */
    public Working tool(String name, Object... arguments) {
        return ofTool(activities, name, arguments, Optional.of(activity));
    }

    /** Begins a wait for a person, which lasts until it is closed. */
    public Working human() {
        return new Working(activities, Activities.Phase.HUMAN, Optional.of(activity));
    }

    /**
     * Begins a wait for a person, which lasts until it is closed.
     *
     * @param waitsFor the thing that the person has to do, such as {@code "approval of invoice 42"}, at most 200 characters. Callers
     *     who may read the agent's record see it
     */
    public Working human(String waitsFor) {
        return new Working(activities, Activities.Phase.HUMAN, Optional.of(activity), waitsFor);
    }

    /**
     * Adds tokens of a call to the outcome of its task. The client counts calls of models and tools itself. The model with the most tokens
     * names the sum.
     */
    public void addUsage(Usage usage) {
        activity.usage().add(usage);
    }

    /** Returns the tokens and calls of the task so far; empty if none are known. */
    Optional<Usage> usage() {
        return activity.usage().sum();
    }

    /** Ends the task or call. */
    @Override
    public void close() {
        activities.end(activity);
    }
}
