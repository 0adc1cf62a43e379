package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Stream;

/** The public API over HTTP. Thread-safe. */
final class HttpPublicApi implements PublicApi {

    private static final int TIMEOUT_MILLIS = 5_000;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int UNAUTHENTICATED = 401;

    /**
     * Prefix of the variables with the addresses by which the process reaches itself on one machine. Connected clients do not affect this
     * way.
     */
    private static final String OWN_WAY = "SELF_CHECK_";

    /** The name of the function URL, which serves heartbeats alone. */
    private static final String HEARTBEAT_URL = "HEARTBEAT_URL";

    private final String baseUrl;
    private final boolean registers;
    private final Log log;

    /**
     * Returns the addresses to which agents send heartbeats: the API, its default address if both are in use, and the function URL if there
     * is one.
     */
    static PublicApi[] inUse(Wiring wiring) {
        wiring.required("PUBLIC_URL");
        return Stream.of("PUBLIC_URL", "DEFAULT_URL", HEARTBEAT_URL)
                .flatMap(address -> Stream.of(OWN_WAY + address, address)
                        .map(wiring::origin)
                        .filter(origin -> !origin.isEmpty())
                        .limit(1)
                        .map(origin -> new HttpPublicApi(origin, !address.equals(HEARTBEAT_URL), wiring.log())))
                .toArray(PublicApi[]::new);
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
