package dev.agenthealth.template;

/**
 * A route of the HTTP API.
 *
 * @param method upper-case HTTP method, or {@code ANY}
 * @param path begins with a slash; a segment such as {@code {agent_id}} is a path parameter, {@code {proxy+}} at the
 *     end takes every remaining segment
 */
public record Route(String method, String path) {

    /** Returns the key that API Gateway puts in an event's {@code routeKey}, for example {@code GET /api/v1/ping}. */
    public String routeKey() {
        return method + " " + path;
    }
}
