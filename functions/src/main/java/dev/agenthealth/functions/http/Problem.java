package dev.agenthealth.functions.http;

import dev.agenthealth.model.FieldError;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Why a request was refused: an RFC 9457 problem document, thrown by whoever finds the reason.
 *
 * <p>Its text is for callers: it never holds a key, a stack trace or the name of an internal resource.
 */
public final class Problem extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final String error;
    private final transient List<FieldError> errors;
    private final transient Map<String, String> headers;
    private final transient Map<String, String> members;

    private Problem(int status, String error, String detail, List<FieldError> errors, Map<String, String> headers) {
        this(status, error, detail, errors, headers, Map.of());
    }

    private Problem(
            int status,
            String error,
            String detail,
            List<FieldError> errors,
            Map<String, String> headers,
            Map<String, String> members) {
        super(detail, null, false, false);
        this.status = status;
        this.error = error;
        this.errors = List.copyOf(errors);
        this.headers = Map.copyOf(headers);
        this.members = Map.copyOf(members);
    }

    /** 400 with every field that breaks a rule. */
    public static Problem invalid(List<FieldError> errors) {
        String detail =
                errors.size() == 1 ? sentence(errors.get(0)) : errors.size() + " fields of the request are not valid.";
        return new Problem(400, "invalid_request", detail, errors, Map.of());
    }

    /** 400 for a request that cannot be read at all. */
    public static Problem malformed(String detail) {
        return new Problem(400, "malformed_request", detail, List.of(), Map.of());
    }

    /** 401: no key, or one that nobody was given. */
    public static Problem unauthenticated() {
        return new Problem(
                401,
                "unauthenticated",
                "A valid API key is needed in the X-API-Key header.",
                List.of(),
                Map.of("WWW-Authenticate", "ApiKey realm=\"agent-health\""));
    }

    /** 403: the key is known, but may not do this. */
    public static Problem forbidden(String detail) {
        return new Problem(403, "forbidden", detail, List.of(), Map.of());
    }

    /** 404 with a code of its own for each kind of thing. */
    public static Problem notFound(String error, String detail) {
        return new Problem(404, error, detail, List.of(), Map.of());
    }

    /** 404 for an agent the registry does not know. */
    public static Problem unknownAgent(String agentId) {
        return notFound("agent_not_found", "No agent is registered as '" + agentId + "'.");
    }

    /** 409 with a code of its own for each kind of conflict. */
    public static Problem conflict(String error, String detail) {
        return new Problem(409, error, detail, List.of(), Map.of());
    }

    /** 409 with a code of its own for each kind of conflict that is over soon. */
    public static Problem passingConflict(String error, String detail) {
        return new Problem(409, error, detail, List.of(), Map.of("Retry-After", "1"));
    }

    /** 410: the agent is dead or deregistered and has to register again (RFC-0016 §4.4). */
    public static Problem gone(String agentId, String status) {
        return new Problem(
                410,
                "agent_gone",
                "Agent '" + agentId + "' is " + status + " and must register again before it beats.",
                List.of(),
                Map.of());
    }

    /** 410: the agent left, and what is asked for left with it. */
    public static Problem deregistered(String agentId) {
        return new Problem(
                410,
                "agent_gone",
                "Agent '" + agentId + "' is deregistered; there is nothing to tell of it until it registers again.",
                List.of(),
                Map.of());
    }

    /** 412: the caller's view of the agent is out of date. */
    public static Problem outdated(String detail, long version) {
        return new Problem(412, "version_mismatch", detail, List.of(), Map.of("ETag", ApiResponse.etag(version)));
    }

    /** 412 with a code of its own: what the caller relies on no longer holds. */
    public static Problem failedPrecondition(String error, String detail) {
        return new Problem(412, error, detail, List.of(), Map.of());
    }

    /** 413: the body is larger than the system accepts. */
    public static Problem tooLarge(int limitBytes) {
        return new Problem(
                413,
                "payload_too_large",
                "The request body may have at most " + limitBytes + " bytes.",
                List.of(),
                Map.of());
    }

    /** 422 with a code of its own: the request is understood, but contradicts an earlier one. */
    public static Problem unprocessable(String error, String detail) {
        return new Problem(422, error, detail, List.of(), Map.of());
    }

    /** 428: {@code If-Match} is missing. */
    public static Problem ifMatchNeeded() {
        return new Problem(
                428,
                "if_match_required",
                "An If-Match header with the agent's current version (its ETag) is needed.",
                List.of(),
                Map.of());
    }

    /** 429: the caller asks more often than it may. */
    public static Problem tooManyRequests(String detail, Duration wait) {
        // In whole seconds, and never so that the caller comes too early.
        long seconds = Math.max(1, wait.plusNanos(999_999_999).toSeconds());
        return new Problem(429, "rate_limited", detail, List.of(), Map.of("Retry-After", Long.toString(seconds)));
    }

    /** A refusal or failure of a call that was to be passed on, with a code of its own for each kind. */
    public static Problem ofCall(int status, String error, String detail) {
        return new Problem(status, error, detail, List.of(), Map.of());
    }

    /** The same problem with one more member in its document. */
    public Problem with(String member, String value) {
        Map<String, String> more = new LinkedHashMap<>(members);
        more.put(member, value);
        return new Problem(status, error, getMessage(), errors, headers, more);
    }

    /** The same problem, of whose fields at most so many are named; its detail still says how many there are. */
    public Problem naming(int most) {
        List<FieldError> named = errors.subList(0, Math.min(errors.size(), most));
        return new Problem(status, error, getMessage(), named, headers, members);
    }

    /** 503: the storage is busy; the request changed nothing that a repetition would not repeat safely. */
    public static Problem busy() {
        return new Problem(
                503,
                "temporarily_unavailable",
                "The registry is busy. Repeat the request after the time in Retry-After.",
                List.of(),
                Map.of("Retry-After", "1"));
    }

    /** 503: the event bus did not take an event; those before it were sent. */
    public static Problem busRefused(long sent) {
        return new Problem(
                503,
                "event_bus_refused",
                "The event bus took " + sent + " events and refused the next one. Go on with next_token.",
                List.of(),
                Map.of("Retry-After", "1"));
    }

    /** 500: a fault of the system's own; the details are in its log under the request's id. */
    public static Problem internal() {
        return new Problem(500, "internal_error", "The registry could not handle the request.", List.of(), Map.of());
    }

    /** The HTTP status. */
    public int status() {
        return status;
    }

    /** The stable code of this kind of problem. */
    public String error() {
        return error;
    }

    /** What is wrong, for people. */
    public String detail() {
        return getMessage();
    }

    /** Every field that breaks a rule; empty where no field does. */
    public List<FieldError> errors() {
        return errors;
    }

    /** Headers that belong to the response. */
    public Map<String, String> headers() {
        return headers;
    }

    /** What the document says besides what every one says. */
    public Map<String, String> members() {
        return members;
    }

    private static String sentence(FieldError error) {
        return (error.field().isEmpty() ? "The request " : "'" + error.field() + "' ") + error.message() + ".";
    }
}
