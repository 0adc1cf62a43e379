package dev.agenthealth.client.gate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Health documents for tests. */
final class Documents {

    private static final JsonMapper MAPPER = new JsonMapper();

    private static final String WHOLE =
            """
            {"schema_version":"0.1.0","agent_id":"https://agent.example/","timestamp":"2026-02-08T11:00:00+01:00",
            "health":{"status":"healthy","last_healthy_at":"2026-02-08T09:00:00Z","uptime_seconds":86400},
            "calibration":{"response_ratio":0.97,"error_ratio":0.03,"latency_p50_ms":120,"latency_p99_ms":2500.5,
            "measurement_window_seconds":86400,"sample_count":500},
            "decay":{"calibration_trend":"stable","days_since_model_change":null,"last_capability_update":"2026-01-01T00:00:00Z"},
            "extensions":{"com.example.x":1}}""";

    private Documents() {}

    /**
     * A whole document with these changes, such as {@code {'health':{'status':'degraded'}}}: objects are merged, other values replaced.
     */
    static String with(String changes) {
        ObjectNode document = (ObjectNode) read(WHOLE);
        merge(document, (ObjectNode) read(changes.replace('\'', '"')));
        return document.toString();
    }

    static String of(HealthStatus status) {
        return with("{'health':{'status':'" + status.wireName() + "'}}");
    }

    private static void merge(ObjectNode into, ObjectNode changes) {
        changes.properties().forEach(change -> {
            if (change.getValue() instanceof ObjectNode nested
                    && into.get(change.getKey()) instanceof ObjectNode target) {
                merge(target, nested);
            } else {
                into.set(change.getKey(), change.getValue());
            }
        });
    }

    private static JsonNode read(String json) {
        try {
            return MAPPER.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(json, e);
        }
    }
}
