package dev.agenthealth.functions.runtime.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.identity.KeyAction;
import dev.agenthealth.model.registry.lifecycle.LastEnd;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A refusal of a request: an RFC 9457 problem document.
 *
 * <p>Its text is for callers: it never holds a key, a stack trace or the name of an internal resource.
 */
public final class ApiError extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The error code of {@link #tooManyWrongKeys}. */
    public static final String TOO_MANY_WRONG_KEYS = "too_many_requests";

    /** The code of the problem {@link #addressNotAllowed}. */
    public static final String ADDRESS_NOT_ALLOWED = "address_not_allowed";
    /** The code of the problem {@link #actionNotAllowed}. */
    public static final String ACTION_NOT_ALLOWED = "action_not_allowed";

    private static final String RETRY_AFTER = "Retry-After";
    /** The code of the problem {@link #superseded}. */
    public static final String SUPERSEDED = "superseded";

    /** The code of the problem {@link #forbidden}. */
    public static final String FORBIDDEN = "forbidden";

    /** The code of the problem {@link #identityProviderUnavailable}, with the status 503 although the registry is well. */
    public static final String PROVIDER_UNAVAILABLE = "identity_provider_unavailable";

    /** The code of the problem {@link #unresponsive}, with the status 503 although the registry is well. */
    public static final String UNRESPONSIVE = "agent_unresponsive";

    private final int status;
    private final String error;
    private final transient List<FieldError> errors;
    private final transient Map<String, String> headers;
    private final transient Map<String, JsonNode> members;

    private ApiError(
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
        this.headers = Map.copyOf(headers);
        this.members = Map.copyOf(members);
    }

    private static ApiError of(int status, String error, String detail) {
        return new ApiError(status, error, detail, List.of(), Map.of(), Map.of());
    }

    private static ApiError of(int status, String error, String detail, String header, String value) {
        return new ApiError(status, error, detail, List.of(), Map.of(header, value), Map.of());
    }

    /** 400 with every field that breaks a rule. */
    public static ApiError invalid(List<FieldError> errors) {
        String detail =
                errors.size() == 1 ? sentence(errors.get(0)) : errors.size() + " fields of the request are not valid.";
        return new ApiError(400, "invalid_request", detail, errors, Map.of(), Map.of());
    }

    /** 400: the request cannot be read. */
    public static ApiError malformed(String detail) {
        return of(400, "malformed_request", detail);
    }

    /** 401: the key is missing, was never issued or is revoked. */
    public static ApiError unauthenticated() {
        return of(
                401,
                "unauthenticated",
                "A valid API key is needed in the header X-API-Key, or as bearer token in Authorization.",
                "WWW-Authenticate",
                "Bearer realm=\"agent-health\", ApiKey realm=\"agent-health\"");
    }

    /**
     * 401: the token is not accepted.
     *
     * @param reason goes on after "The token"; never a part of the token
     */
    public static ApiError invalidToken(String reason) {
        return of(
                401,
                "invalid_token",
                "The token " + reason + ".",
                "WWW-Authenticate",
                "Bearer realm=\"agent-health\", error=\"invalid_token\"");
    }

    /** 503: the provider of a token or of a sign-in does not answer; keys work. */
    public static ApiError identityProviderUnavailable() {
        return of(
                503,
                PROVIDER_UNAVAILABLE,
                "The identity provider does not answer. API keys work meanwhile.",
                RETRY_AFTER,
                "10");
    }

    /** 403: the token is valid, and its identity provider grants nothing to its holder. */
    public static ApiError notGranted(String provider) {
        return of(
                403,
                "not_granted",
                "The identity provider '" + provider + "' grants nothing to the holder of this token.");
    }

    /** 403: the key is valid, but may not do this. */
    public static ApiError forbidden(String detail) {
        return of(403, FORBIDDEN, detail);
    }

    /** 403: the key is valid, but not from this address. */
    public static ApiError addressNotAllowed(String address) {
        return of(
                403,
                ADDRESS_NOT_ALLOWED,
                "The key may not be used from " + (address.isEmpty() ? "an unknown address" : "the address " + address)
                        + ".");
    }

    /** 403: the key is limited to other actions than this. */
    public static ApiError actionNotAllowed(KeyAction missing) {
        return of(
                403,
                ACTION_NOT_ALLOWED,
                "The key is limited to actions, and '" + missing.wireName() + "' is none of them.");
    }

    /** 403: the request did not come through the proxy in front of the API. */
    public static ApiError notThroughProxy() {
        return of(403, "not_through_proxy", "Send requests to the public address of this registry.");
    }

    /** 403: the key owns as many live agents as a key may own. */
    public static ApiError quotaReached(int maxAgents) {
        return of(
                403,
                "agent_quota_reached",
                "The key owns " + maxAgents + " live agents or more and registers no further one. Agents that"
                        + " were registered before may register again.");
    }

    /** 403: the key has as many watched agents as a key may have. */
    public static ApiError watchQuotaReached(int maxAgents) {
        String field = "watch";
        return new ApiError(
                403,
                "watch_quota_reached",
                "The key has " + maxAgents + " watched agents or more, and no further one is watched.",
                List.of(new FieldError(field, "must be absent: the key has " + maxAgents + " watched agents or more")),
                Map.of(),
                Map.of());
    }

    /**
     * 404.
     *
     * @param error a code for each kind of thing
     */
    public static ApiError notFound(String error, String detail) {
        return of(404, error, detail);
    }

    /** 404 for an unknown agent. */
    public static ApiError unknownAgent(String agentId) {
        return notFound("agent_not_found", "No agent is registered as '" + agentId + "'.");
    }

    /** 405 of a path that takes another method. */
    public static ApiError methodNotAllowed(String allowed) {
        return of(405, "method_not_allowed", "This path takes " + allowed + " only.", "Allow", allowed);
    }

    /**
     * 409.
     *
     * @param error a code for each kind of conflict
     */
    public static ApiError conflict(String error, String detail) {
        return of(409, error, detail);
    }

    /** 409 for a conflict that ends soon: the caller may repeat the request after this time. */
    public static ApiError passingConflict(String error, String detail, Duration wait) {
        return of(409, error, detail, RETRY_AFTER, wholeSeconds(wait));
    }

    /**
     * 410: the agent is dead or deregistered and has to register again (RFC-0016 §4.4). The answer says who ended the agent, and why, where that
     * is known: a process whose agent an operator ended is to stop.
     */
    public static ApiError gone(Pulse gone) {
        String detail = "Agent '" + gone.agentId() + "' is " + gone.status().wireName();
        LastEnd end = gone.end();
        ApiError problem = of(
                410,
                "agent_gone",
                end.isByOperator()
                        ? detail + " because an operator ended it: this process must stop, and must not register again."
                        : detail + " and must register again before it sends heartbeats.");
        return end.isKnown()
                ? problem.with("ended_by", end.by().wireName())
                        .with("reason", end.reason().wireName())
                : problem;
    }

    /** 410: another process registered the agent after this incarnation. The sender stops, and does not register again. */
    public static ApiError superseded(String agentId, long named, long current) {
        return of(
                410,
                SUPERSEDED,
                "Incarnation " + named + " of agent '" + agentId + "' is not the current one, which is " + current
                        + ": another process registered the agent. This process must stop, and must not register again.");
    }

    /** 410: the agent is deregistered, and a document of it is no longer available. */
    public static ApiError deregistered(String agentId, String document) {
        return of(
                410,
                "agent_gone",
                "Agent '" + agentId + "' is deregistered; its " + document
                        + " is unavailable until it registers again.");
    }

    /** 412: there is another version than the caller expects. */
    public static ApiError outdated(String detail, EntityTag current) {
        return of(412, "version_mismatch", detail, "ETag", current.value());
    }

    /**
     * 412: what the caller relies on no longer holds.
     *
     * @param error a code for each kind of condition
     */
    public static ApiError failedPrecondition(String error, String detail) {
        return of(412, error, detail);
    }

    /** 413: the body is larger than the limit. */
    public static ApiError tooLarge(int limitBytes) {
        return tooLarge("The request body may have at most " + limitBytes + " bytes.");
    }

    /** 413: the request is larger than a limit. */
    public static ApiError tooLarge(String detail) {
        return of(413, "payload_too_large", detail);
    }

    /** 415: the body has another type or compression than those that the route reads. */
    public static ApiError unsupportedMediaType(String detail) {
        return of(415, "unsupported_media_type", detail);
    }

    /** 415: the body has another encoding than gzip. */
    public static ApiError unsupportedEncoding() {
        return of(
                415,
                "unsupported_media_type",
                "The Content-Encoding of a request is gzip or none.",
                "Accept-Encoding",
                "gzip, identity");
    }

    /**
     * 422: the request contradicts an earlier one.
     *
     * @param error a code for each kind of contradiction
     */
    public static ApiError unprocessable(String error, String detail) {
        return of(422, error, detail);
    }

    /** 428: {@code If-Match} is missing. */
    public static ApiError ifMatchNeeded() {
        return of(
                428, "if_match_required", "An If-Match header with the agent's current version (its ETag) is needed.");
    }

    /** 429: the caller exceeds its limit. */
    public static ApiError tooManyRequests(String detail, Duration wait) {
        return of(429, "rate_limited", detail, RETRY_AFTER, wholeSeconds(wait));
    }

    /**
     * 429: a key exceeds its limit, which {@code RateLimit} and {@code RateLimit-Policy} describe (draft-ietf-httpapi-ratelimit-headers).
     *
     * @param policy the name of the limit
     * @param quota how many requests the limit allows in its window
     * @param window the time in which the whole quota comes back
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

    /** 429: no further lease is granted until some end. */
    public static ApiError leaseQuotaReached(String detail, Duration wait) {
        return of(429, "lease_quota_reached", detail, RETRY_AFTER, wholeSeconds(wait));
    }

    /** 429: the address sent too many wrong keys. */
    public static ApiError tooManyWrongKeys(Duration wait) {
        return of(
                429,
                TOO_MANY_WRONG_KEYS,
                "This address sent too many wrong keys. Keys that were issued still work.",
                RETRY_AFTER,
                wholeSeconds(wait));
    }

    /** 429, where too many invocations of all callers are under way. */
    public static ApiError tooManyInFlight(String detail, Duration wait) {
        return of(429, "too_many_in_flight", detail, RETRY_AFTER, wholeSeconds(wait));
    }

    /** 503: the agent does not answer in time, and is being called. */
    public static ApiError unresponsive(String detail, Duration wait) {
        return of(503, UNRESPONSIVE, detail, RETRY_AFTER, wholeSeconds(wait));
    }

    /**
     * A refusal or a failure of a call that is passed on.
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

    /** Returns the same problem with at most {@code maxErrors} fields named; its detail still has their total number. */
    public ApiError naming(int maxErrors) {
        List<FieldError> named = errors.subList(0, Math.min(errors.size(), maxErrors));
        return new ApiError(status, error, getMessage(), named, headers, members);
    }

    /** 503: the storage is busy. The request may be repeated without a second effect. */
    public static ApiError busy() {
        return of(
                503,
                "temporarily_unavailable",
                "The registry is busy. Repeat the request after the time in Retry-After.",
                RETRY_AFTER,
                "1");
    }

    /** 503: the event bus refused an event; those before it were sent. */
    public static ApiError busRefused(long sent) {
        return of(
                503,
                "event_bus_refused",
                "The event bus took " + sent + " events and refused the next one. Go on with next_token.",
                RETRY_AFTER,
                "1");
    }

    /** 500: an internal failure; the log has its details under the request's id. */
    public static ApiError internal() {
        return of(500, "internal_error", "The registry could not handle the request.");
    }

    /** The HTTP status. */
    public int status() {
        return status;
    }

    /** Returns whether the key or token is refused with every request of this kind, whatever the request says. */
    public boolean isOfCredential() {
        return status == 401 || error.equals(ADDRESS_NOT_ALLOWED) || error.equals(ACTION_NOT_ALLOWED);
    }

    /** The stable code of this kind of problem. */
    public String error() {
        return error;
    }

    /** The explanation for people. */
    public String detail() {
        return getMessage();
    }

    /** The explanation in one line that names a field where fields break rules: the first one of several. */
    public String line() {
        return errors.size() > 1 ? detail() + " " + sentence(errors.get(0)) : detail();
    }

    /** Every field that breaks a rule; empty where no field does. */
    public List<FieldError> errors() {
        return errors;
    }

    /** Headers that belong to the response. */
    public Map<String, String> headers() {
        return headers;
    }

    /** Members of the document besides those of RFC 9457 and {@code error}. */
    public Map<String, JsonNode> members() {
        return members;
    }

    /** Rounded up, so that the caller does not come too early. */
    private static String wholeSeconds(Duration wait) {
        return Long.toString(Math.max(1, wait.plusNanos(999_999_999).toSeconds()));
    }

    private static String sentence(FieldError error) {
        return (error.field().isEmpty() ? "The request " : "'" + error.field() + "' ") + error.message() + ".";
    }
}
