package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.runtime.wiring.Setting;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The public API over HTTP. Thread-safe. */
final class HttpPublicApi implements PublicApi {

    private static final int TIMEOUT_MILLIS = 5_000;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int UNAUTHENTICATED = 401;

    private final String baseUrl;
    private final boolean registers;
    private final Log log;

    /**
     * Returns the addresses to which agents send heartbeats: the API, its default address if both are in use, and the function URL if there
     * is one.
     */
    static PublicApi[] inUse(Wiring wiring) {
        wiring.get(FunctionSettings.PUBLIC_URL);
        return Stream.of(
                        address(
                                wiring,
                                true,
                                List.of(FunctionSettings.SELF_CHECK_PUBLIC_URL, FunctionSettings.PUBLIC_URL)),
                        address(wiring, true, List.of(FunctionSettings.DEFAULT_URL)),
                        address(
                                wiring,
                                false,
                                List.of(FunctionSettings.SELF_CHECK_HEARTBEAT_URL, FunctionSettings.HEARTBEAT_URL)))
                .flatMap(Optional::stream)
                .toArray(PublicApi[]::new);
    }

    /** Returns the address in the first of these variables that is set. */
    private static Optional<PublicApi> address(Wiring wiring, boolean registers, List<Setting<String>> settings) {
        return settings.stream()
                .map(wiring::origin)
                .filter(origin -> !origin.isEmpty())
                .findFirst()
                .map(origin -> new HttpPublicApi(origin, registers, wiring.log()));
    }

    private HttpPublicApi(String baseUrl, boolean registers, Log log) {
        this.baseUrl = baseUrl;
        this.registers = registers;
        this.log = log;
    }

    /**
     * Sends an empty heartbeat. A time in the body would show the difference between two clocks of the registry as a drift of the canary.
     */
    @Override
    public Answer sendHeartbeat(String agentId, String apiKey) {
        return send("/api/v1/agents/" + agentId + "/heartbeat", "", apiKey, 200);
    }

    @Override
    public Answer sendRegistration(String unknownKey) {
        return registers ? send("/api/v1/agents", "{}", unknownKey, UNAUTHENTICATED) : Answer.ACKNOWLEDGED;
    }

    private Answer send(String path, String body, String apiKey, int expected) {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create(baseUrl + path).toURL().openConnection();
            connection.setRequestMethod("POST");
            connection.setConnectTimeout(TIMEOUT_MILLIS);
            connection.setReadTimeout(TIMEOUT_MILLIS);
            connection.setDoOutput(true);
            connection.setRequestProperty("Content-Type", "application/json");
            connection.setRequestProperty("X-API-Key", apiKey);
            try (OutputStream out = connection.getOutputStream()) {
                out.write(body.getBytes(StandardCharsets.UTF_8));
            }
            int status = connection.getResponseCode();
            connection.disconnect();
            if (status == expected) {
                return Answer.ACKNOWLEDGED;
            }
            log.warn("canary_refused", Map.of("path", path, "status", status));
            return status == TOO_MANY_REQUESTS ? Answer.THROTTLED : Answer.FAILED;
        } catch (IOException e) {
            log.failure("canary_unanswered", path, e);
            return Answer.FAILED;
        }
    }
}
