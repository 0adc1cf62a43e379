package dev.agenthealth.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** A request to the registry. Not thread-safe. */
final class Call {

    /** Statuses after which every request is retried: either nothing was done, or a repetition has no second effect. */
    private static final Set<Integer> PASSING = Set.of(429, 502, 503, 504);

    private final String method;
    private final StringBuilder target = new StringBuilder();
    private final Map<String, String> headers = new LinkedHashMap<>();
    private String body = "";
    private Set<Integer> retried = PASSING;
    private String retriedCode = "";
    private Duration answerTime = Duration.ZERO;
    private boolean afterSilence = true;

    private Call(String method, String path) {
        this.method = method;
        target.append(path);
    }

    /** Returns a request of any method. */
    static Call of(String method, String path) {
        return new Call(method, path);
    }

    static Call get(String path) {
        return new Call("GET", path);
    }

    static Call post(String path) {
        return new Call("POST", path);
    }

    static Call put(String path) {
        return new Call("PUT", path);
    }

    static Call patch(String path) {
        return new Call("PATCH", path);
    }

    static Call delete(String path) {
        return new Call("DELETE", path);
    }

    /** Adds an encoded segment to the path. */
    Call segment(String value) {
        target.append('/').append(encoded(value));
        return this;
    }

    /** Adds text to the path without encoding. */
    Call path(String more) {
        target.append(more);
        return this;
    }

    /** Adds a parameter, unless its value is empty. */
    Call query(String name, Object value) {
        String text = value.toString();
        if (!text.isEmpty()) {
            target.append(target.indexOf("?") < 0 ? '?' : '&')
                    .append(name)
                    .append('=')
                    .append(encoded(text));
        }
        return this;
    }

    Call header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    Call body(ObjectNode json) {
        body = json.toString();
        return this;
    }

    /** Retries after these statuses only, because other statuses are results of the request. */
    Call retryAfterStatuses(Integer... statuses) {
        retried = Set.of(statuses);
        return this;
    }

    /** Retries also after a problem with this code, which is temporary. */
    Call retryAfterCode(String code) {
        retriedCode = code;
        return this;
    }

    /** Allows the answer this much more time than the request itself. */
    Call waitsAtLeast(long millis) {
        answerTime = Duration.ofMillis(millis);
        return this;
    }

    /** Prevents a retry of an unanswered request, since a repetition would have another result. */
    Call notAfterSilence() {
        afterSilence = false;
        return this;
    }

    String method() {
        return method;
    }

    /** Returns path and query. */
    String target() {
        return target.toString();
    }

    Map<String, String> headers() {
        return Map.copyOf(headers);
    }

    String body() {
        return body;
    }

    Duration answerTime() {
        return answerTime;
    }

    boolean isRetriedAfter(ProblemException problem) {
        return retried.contains(problem.status()) || problem.code().equals(retriedCode);
    }

    boolean isRetriedAfterSilence() {
        return afterSilence;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
