package dev.agenthealth.local;

import dev.agenthealth.emulator.apigateway.GatewayResponses;
import dev.agenthealth.emulator.http.Endpoint;
import dev.agenthealth.emulator.http.RawRequest;
import dev.agenthealth.emulator.http.RawResponse;
import dev.agenthealth.emulator.http.Share;
import dev.agenthealth.functions.registry.ping.PingRoutes;
import dev.agenthealth.functions.registry.telemetry.TelemetryRoutes;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.model.identity.KeyHash;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Serves the pages of the local run below {@code /_local/} to administrators, and passes every other request to the API. Thread-safe.
 *
 * <p>A request without an administrator's key is refused, even if the page does not exist: with 401 without a valid key, and as the API refuses
 * it, with 403, with the key of another role.
 */
final class LocalPages implements Endpoint {

    private static final String PREFIX = "/_local/";
    private static final Share SHARE = new Share(PREFIX, 4, 64);

    private static final Pattern NOTIFICATION = Pattern.compile("/a2a/agents/[^/]+/notifications/[^/]+/?");

    /** A request that every valid key may send: a refusal would be in the audit log. */
    private static final String ANY_KEY_PROBE = "/api/v1/me";

    /** A request that only administrators may send. */
    private static final String ADMINISTRATOR_PROBE = "/v1/admin/configuration";

    private final Map<String, Endpoint> pages;
    private final KeyHash administratorKey;
    private final Endpoint api;

    /**
     * @param pages the pages by path
     * @param administratorKey the hash of the administrator's key at the start
     */
    LocalPages(Map<String, Endpoint> pages, KeyHash administratorKey, Endpoint api) {
        this.pages = Map.copyOf(pages);
        this.administratorKey = administratorKey;
        this.api = api;
    }

    @Override
    public RawResponse answer(RawRequest request) {
        if (!request.rawPath().startsWith(PREFIX)) {
            return api.answer(request);
        }
        if (!isAdministratorKey(request)) {
            RawResponse probed = probe(request, ADMINISTRATOR_PROBE);
            if (probed.status() == 401 || probed.status() == 404) {
                // A template without the API knows the administrator's key of the start alone.
                return RawResponse.problem(
                                401, "unauthenticated", "An administrator's key is needed in the X-API-Key header.")
                        .with("WWW-Authenticate", "Bearer realm=\"agent-health\", ApiKey realm=\"agent-health\"");
            }
            if (probed.status() != 200) {
                return probed;
            }
        }
        Endpoint page = pages.get(request.rawPath());
        return page == null
                ? RawResponse.problem(404, "route_not_found", "There is nothing at this path.")
                : page.answer(request);
    }

    @Override
    public Share share(RawRequest head) {
        return head.rawPath().startsWith(PREFIX) ? SHARE : api.share(head);
    }

    /** Returns a problem document. For refused spans and log records it is a {@code Status}, as OTLP demands. */
    @Override
    public RawResponse refusal(RawRequest head, int status, String error, String detail) {
        if (!TelemetryRoutes.isOtlp(head.method() + " " + head.usual().rawPath())) {
            return RawResponse.problem(status, error, detail);
        }
        ApiResponse refusal =
                TelemetryRoutes.refused(ApiError.ofCall(status, error, detail), head.header("Content-Type"));
        return GatewayResponses.of(refusal.toEvent());
    }

    @Override
    public boolean needsOnlyStart(RawRequest head) {
        return PingRoutes.isPing(head.rawPath());
    }

    /** Returns true if the key is valid. A ping's key is the token in its path; a notification of A2A has its own secret. */
    @Override
    public boolean hasValidKey(RawRequest head) {
        if (NOTIFICATION.matcher(head.rawPath()).matches()) {
            return isNotificationAddress(head);
        }
        if (PingRoutes.isPing(head.rawPath())) {
            return isPingAddress(head.rawPath());
        }
        return isAdministratorKey(head) || probe(head, ANY_KEY_PROBE).status() != 401;
    }

    /**
     * Returns true if the path is the address of a valid ping. The probe has an unknown signal: the API checks the token, then refuses the
     * probe and records nothing.
     */
    private boolean isPingAddress(String path) {
        RawRequest probe = new RawRequest(
                "GET", PingRoutes.address(path) + "/-", "", Map.of(), new byte[0], "HTTP/1.1", "127.0.0.1");
        return api.answer(probe).status() == 400;
    }

    /**
     * Returns true if the request has a valid notification secret. The probe has no body: the API checks the secret, then refuses the probe
     * and queues nothing.
     */
    private boolean isNotificationAddress(RawRequest head) {
        RawRequest probe = new RawRequest(
                "POST", head.rawPath(), "", head.headers(), new byte[0], head.protocol(), head.sourceIp());
        return api.answer(probe).status() == 400;
    }

    private boolean isAdministratorKey(RawRequest request) {
        String key = request.header("X-API-Key").strip();
        return !key.isEmpty() && KeyHash.ofKey(key).equals(administratorKey);
    }

    private RawResponse probe(RawRequest request, String path) {
        return api.answer(new RawRequest(
                "GET", path, "", request.headers(), new byte[0], request.protocol(), request.sourceIp()));
    }
}
