package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Answers requests as a test says, and keeps them. */
final class ScriptedTransport implements Transport {

    private final List<Request> requests = new ArrayList<>();
    private Script script = request -> {
        throw new IOException("connection refused");
    };

    @FunctionalInterface
    interface Script {
        Answer answer(Request request) throws IOException;
    }

    void script(Script newScript) {
        script = newScript;
    }

    /** Gives these answers in order, and the last one from then on. */
    void answers(Answer... answers) {
        int before = requests.size();
        script = request -> answers[Math.min(requests.size() - before, answers.length) - 1];
    }

    static Answer answer(int status, String json) {
        return new Answer(status, Map.of("content-type", "application/json"), json.replace('\'', '"'));
    }

    static Answer problem(int status, String code) {
        return answer(status, "{'status':" + status + ",'error':'" + code + "','detail':'Because.'}");
    }

    static Answer with(Answer answer, String header, String value) {
        Map<String, String> headers = new HashMap<>(answer.headers());
        headers.put(header, value);
        return new Answer(answer.status(), headers, answer.body());
    }

    @Override
    public synchronized Answer send(Request request) throws IOException {
        requests.add(request);
        return script.answer(request);
    }

    synchronized List<Request> requests() {
        return List.copyOf(requests);
    }

    /** Method and path of each request. */
    List<String> calls() {
        return requests().stream()
                .map(request -> request.method() + " " + request.uri().getPath())
                .toList();
    }

    JsonNode body(int index) {
        return Json.read(requests().get(index).body());
    }

    Request last() {
        return requests.get(requests.size() - 1);
    }

    JsonNode lastBody() {
        return Json.read(last().body());
    }
}
