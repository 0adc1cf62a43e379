package dev.agenthealth.testkit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * The calls of one operation of a service. It keeps every request, and gives the answers that a test has scripted. Thread-safe.
 *
 * @param <Q> a request
 * @param <A> an answer
 */
final class ScriptedCalls<Q, A> {

    private final Function<Q, A> service;
    private final List<Q> requests = new ArrayList<>();
    private final Deque<Function<Q, A>> script = new ArrayDeque<>();

    ScriptedCalls(Function<Q, A> service) {
        this.service = service;
    }

    A call(Q request) {
        Function<Q, A> next;
        synchronized (this) {
            requests.add(request);
            next = script.isEmpty() ? service : script.remove();
        }
        return next.apply(request);
    }

    /** Returns all requests, answered or failed, oldest first. */
    synchronized List<Q> requests() {
        return List.copyOf(requests);
    }

    /** Answers the next request that has no scripted answer yet. */
    synchronized void answerNext(Function<Q, A> answer) {
        script.add(answer);
    }

    /** Fails the next request that has no scripted answer yet. */
    void failNext(SdkException failure) {
        answerNext(request -> {
            throw failure;
        });
    }
}
