package dev.agenthealth.emulator;

import dev.agenthealth.emulator.http.CallInterceptor;
import dev.agenthealth.emulator.http.Endpoint;
import dev.agenthealth.emulator.http.RawRequest;
import dev.agenthealth.emulator.http.RawResponse;
import dev.agenthealth.emulator.support.Json;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Keeps every call for a test to look at, and answers those that the test chose in place of their service. Thread-safe. */
public final class ScriptedCalls implements CallInterceptor {

    private final List<Call> calls = new ArrayList<>();
    private final Map<String, Deque<Endpoint>> answers = new HashMap<>();

    /**
     * A call of an operation, whatever became of it.
     *
     * @param operation for example {@code PutEvents}
     */
    public record Call(String operation, RawRequest request) {}

    /** The calls of an operation, retries included, oldest first. */
    public synchronized List<RawRequest> of(String operation) {
        return calls.stream()
                .filter(call -> call.operation().equals(operation))
                .map(Call::request)
                .toList();
    }

    /** Answers the next call of an operation that has no scripted answer yet, in place of its service. */
    public synchronized void answerNext(String operation, Endpoint answer) {
        answers.computeIfAbsent(operation, name -> new ArrayDeque<>()).add(answer);
    }

    /**
     * Fails the next call of an operation that has no scripted answer yet.
     *
     * @param error as the service names it, for example {@code ThrottlingException}
     */
    public void failNext(String operation, int status, String error) {
        RawResponse failure = RawResponse.json(
                        status, Json.object().put("__type", error).put("message", error))
                .with("x-amzn-ErrorType", error);
        answerNext(operation, request -> failure);
    }

    @Override
    public Optional<RawResponse> intercept(String operation, RawRequest request) {
        Optional<Endpoint> answer;
        synchronized (this) {
            calls.add(new Call(operation, request));
            answer = Optional.ofNullable(answers.get(operation)).map(Deque::poll);
        }
        return answer.map(endpoint -> endpoint.answer(request));
    }
}
