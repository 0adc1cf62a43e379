package dev.agenthealth.functions.runtime.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.agenthealth.model.FieldError;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A refused request, answered as a problem document (RFC 9457).
 *
 * <p>Its text is for callers: it never holds a key, a stack trace or the name of an internal resource.
 */
public final class ApiError extends RuntimeException {

    private static final long serialVersionUID = 1L;

    static final String RETRY_AFTER = "Retry-After";

    /** The code of the problem {@link #forbidden}. */
    public static final String FORBIDDEN = "forbidden";

    private final int status;
    private final String error;
    private final transient List<FieldError> errors;
    private final transient Map<String, String> headers;
    private final transient Map<String, JsonNode> members;

    ApiError(
            int status,
            String error,
            String detail,
            List<FieldError> errors,
            Map<String, String> headers,
            Map<String, JsonNode> members) {
        super(detail, null, false, false);
        this.status = status;
        this.error = error;
        this.errors = List.copyOf(errors);
        this.headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
        this.members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
    }

    static ApiError of(int status, String error, String detail) {
        return new ApiError(status, error, detail, List.of(), Map.of(), Map.of());
    }

    static ApiError of(int status, String error, String detail, String header, String value) {
        return new ApiError(status, error, detail, List.of(), Map.of(header, value), Map.of());
    }

    /** Returns a 400 problem that names every field that breaks a rule. */
    public static ApiError invalid(List<FieldError> errors) {
        String detail =
                errors.size() == 1 ? sentence(errors.get(0)) : errors.size() + " fields of the request are not valid.";
        return new ApiError(400, "invalid_request", detail, errors, Map.of(), Map.of());
    }

    /** Returns a 400 problem: the request cannot be read. */
    public static ApiError malformed(String detail) {
        return of(400, "malformed_request", detail);
    }

    /** Returns a 403 problem: the key is valid, but may not make this request. */
    public static ApiError forbidden(String detail) {
        return of(403, FORBIDDEN, detail);
    }

    /**
     * Returns a 404 problem.
     *
     * @param error a code for each kind of resource
     */
    public static ApiError notFound(String error, String detail) {
        return of(404, error, detail);
    }

    /** Returns a 405 problem: the path takes other methods. */
    public static ApiError methodNotAllowed(String allowed) {
        return of(405, "method_not_allowed", "This path takes " + allowed + " only.", "Allow", allowed);
    }

    /**
     * Returns a 409 problem.
     *
     * @param error a code for each kind of conflict
     */
    public static ApiError conflict(String error, String detail) {
        return of(409, error, detail);
    }

    /** Returns a 409 problem for a conflict that ends soon: the caller may retry after {@code wait}. */
    public static ApiError passingConflict(String error, String detail, Duration wait) {
        return of(409, error, detail, RETRY_AFTER, wholeSeconds(wait));
    }

    /** Returns a 412 problem: the current version is not the version that the caller expects. */
    public static ApiError outdated(String detail, EntityTag current) {
        return of(412, "version_mismatch", detail, "ETag", current.value());
    }

    /**
     * Returns a 412 problem: a condition on which the caller relies no longer holds.
     *
     * @param error a code for each kind of condition
     */
    public static ApiError failedPrecondition(String error, String detail) {
        return of(412, error, detail);
    }

    /** Returns a 413 problem: the body is larger than the limit. */
    public static ApiError tooLarge(int limitBytes) {
        return tooLarge("The request body may have at most " + limitBytes + " bytes.");
    }

    /** Returns a 413 problem: the request is larger than a limit. */
    public static ApiError tooLarge(String detail) {
        return of(413, "payload_too_large", detail);
    }

    /** Returns a 415 problem: the route does not read this media type or compression. */
    public static ApiError unsupportedMediaType(String detail) {
        return of(415, "unsupported_media_type", detail);
    }

    /** Returns a 415 problem: the body has an encoding other than gzip. */
    public static ApiError unsupportedEncoding() {
        return of(
                415,
                "unsupported_media_type",
                "The Content-Encoding of a request is gzip or none.",
                "Accept-Encoding",
                "gzip, identity");
    }

    /**
     * Returns a 422 problem: the request contradicts an earlier request.
     *
     * @param error a code for each kind of contradiction
     */
    public static ApiError unprocessable(String error, String detail) {
        return of(422, error, detail);
    }

    /** Returns a 428 problem: {@code If-Match} is missing. */
    public static ApiError ifMatchNeeded() {
        return of(
                428, "if_match_required", "An If-Match header with the agent's current version (its ETag) is needed.");
    }

    /** Returns a 429 problem: the caller exceeds its limit. */
    public static ApiError tooManyRequests(String detail, Duration wait) {
        return of(429, "rate_limited", detail, RETRY_AFTER, wholeSeconds(wait));
    }

    /**
     * Returns a 429 problem: a key exceeds its limit. The headers {@code RateLimit} and {@code RateLimit-Policy} describe the limit
     * (draft-ietf-httpapi-ratelimit-headers).
     *
     * @param policy the name of the limit
     * @param quota the number of requests that the limit allows in its window
     * @param window the time in which the whole quota is restored
     */
    public static ApiError rateLimited(String detail, String policy, long quota, Duration window, Duration wait) {
        Map<String, String> headers = Map.of(
                RETRY_AFTER,
                wholeSeconds(wait),
                "RateLimit-Policy",
                "\"" + policy + "\";q=" + quota + ";w=" + wholeSeconds(window),
                "RateLimit",
                "\"" + policy + "\";r=0;t=" + wholeSeconds(wait));
        return new ApiError(429, "rate_limited", detail, List.of(), headers, Map.of());
    }

    /** Returns a 429 problem: no further lease is granted until some leases end. */
    public static ApiError leaseQuotaReached(String detail, Duration wait) {
        return of(429, "lease_quota_reached", detail, RETRY_AFTER, wholeSeconds(wait));
    }

    /** Returns a 429 problem: too many invocations of all callers are in progress. */
    public static ApiError tooManyInFlight(String detail, Duration wait) {
        return of(429, "too_many_in_flight", detail, RETRY_AFTER, wholeSeconds(wait));
    }

    /**
     * Returns a problem for a call that was refused or failed.
     *
     * @param error a code for each kind of failure
     */
    public static ApiError ofCall(int status, String error, String detail) {
        return of(status, error, detail);
    }

    /** Returns the same problem with one more member in its document. */
    public ApiError with(String member, String value) {
        return with(member, TextNode.valueOf(value));
    }

    /** Returns the same problem with one more member in its document. */
    public ApiError with(String member, JsonNode value) {
        Map<String, JsonNode> more = new LinkedHashMap<>(members);
        more.put(member, value);
        return new ApiError(status, error, getMessage(), errors, headers, more);
    }

    /** Returns the same problem with another explanation for people. */
    public ApiError explained(String detail) {
        return new ApiError(status, error, detail, errors, headers, members);
    }

    /** Returns the same problem with the time after which the caller may retry. */
    public ApiError retryAfter(Duration wait) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(RETRY_AFTER, wholeSeconds(wait));
        return new ApiError(status, error, getMessage(), errors, more, members);
    }

    /** Returns the same problem with at most {@code maxErrors} fields named. The detail still contains the total number of fields. */
    public ApiError naming(int maxErrors) {
        List<FieldError> named = errors.subList(0, Math.min(errors.size(), maxErrors));
        return new ApiError(status, error, getMessage(), named, headers, members);
    }

    /** Returns a 503 problem: the storage is busy. The caller may retry; the change happens at most once. */
    public static ApiError busy() {
        return of(
                503,
                "temporarily_unavailable",
                "The registry is busy. Repeat the request after the time in Retry-After.",
                RETRY_AFTER,
                "1");
    }

    /** Returns a 503 problem: a part of the answer does not exist yet. The caller may retry after {@code wait}. */
    public static ApiError notReady(String detail, Duration wait) {
        return of(503, "temporarily_unavailable", detail, RETRY_AFTER, Long.toString(wait.toSeconds()));
    }

    /** Returns a 503 problem: the event bus refused an event. All events before it were sent. */
    public static ApiError busRefused(long sent) {
        return of(
                503,
                "event_bus_refused",
                "The event bus took " + sent + " events and refused the next one. Go on with next_token.",
                RETRY_AFTER,
                "1");
    }

    /** Returns a 500 problem for an internal failure. The log has the details under the id of the request. */
    public static ApiError internal() {
        return of(500, "internal_error", "The registry could not handle the request.");
    }

    /** Returns the HTTP status. */
    public int status() {
        return status;
    }

    /** Returns whether every request of this kind with the same key or token is refused. */
    public boolean isOfCredential() {
        return status == 401
                || error.equals(AccessError.ADDRESS_NOT_ALLOWED)
                || error.equals(AccessError.ACTION_NOT_ALLOWED);
    }

    /** Returns the stable code of this kind of problem. */
    public String error() {
        return error;
    }

    /** Returns the explanation for people. */
    public String detail() {
        return getMessage();
    }

    /** Returns the explanation in one line, with the first field that breaks a rule. */
    public String line() {
        return errors.size() > 1 ? detail() + " " + sentence(errors.get(0)) : detail();
    }

    /** Returns every field that breaks a rule; empty if no field does. */
    public List<FieldError> errors() {
        return errors;
    }

    /** Returns the headers of the response. */
    public Map<String, String> headers() {
        return headers;
    }

    /** Returns the members of the document besides {@code error} and the members of RFC 9457. */
    public Map<String, JsonNode> members() {
        return members;
    }

    /** Returns the wait rounded up to whole seconds, so that the caller does not retry too early. */
    static String wholeSeconds(Duration wait) {
        return Long.toString(Math.max(1, wait.plusNanos(999_999_999).toSeconds()));
    }

    private static String sentence(FieldError error) {
        return (error.field().isEmpty() ? "The request " : "'" + error.field() + "' ") + error.message() + ".";
    }
}
