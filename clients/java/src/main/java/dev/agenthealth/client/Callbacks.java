package dev.agenthealth.client;

import java.util.function.Consumer;

/** What an agent wants to be called for. An exception of a callback is logged, and changes nothing else. */
record Callbacks(
        Consumer<Drain> onDrain, Consumer<Death> onDead, Consumer<AgentEnd> onEnd, Consumer<Outcome> onOutcome) {

    private static final System.Logger LOG = System.getLogger("dev.agenthealth.client");

    static final Callbacks NONE = new Callbacks(drain -> {}, death -> {}, end -> {}, outcome -> {});

    Callbacks withDrain(Consumer<Drain> callback) {
        return new Callbacks(callback, onDead, onEnd, onOutcome);
    }

    Callbacks withDead(Consumer<Death> callback) {
        return new Callbacks(onDrain, callback, onEnd, onOutcome);
    }

    Callbacks withEnd(Consumer<AgentEnd> callback) {
        return new Callbacks(onDrain, onDead, callback, onOutcome);
    }

    Callbacks withOutcome(Consumer<Outcome> callback) {
        return new Callbacks(onDrain, onDead, onEnd, callback);
    }

    static <T> void call(Consumer<T> callback, T value) {
        try {
            callback.accept(value);
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "a callback of the agent failed for " + value, e);
        }
    }
}
