package dev.agenthealth.functions.storage.agents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.event.EventType;
import java.util.List;

/**
 * Reduces the events of an erased agent to the part that is kept until they expire: ids, numbers and words of this system. Texts that an
 * agent or an operator chose are replaced.
 */
public final class ErasedEvent {

    private static final String CAPABILITIES = "capabilities";
    private static final String REASON = "reason";
    private static final String DRAIN_REASON = "drain_reason";
    private static final String NOTE = "note";

    /** The field may contain a text that the owner expects. */
    private static final String PROBE_FAILURE = "probe_failure";

    /** The fields with names of skills and tools. */
    private static final List<String> DECLARED = List.of("added", "removed", "altered");

    /** The text that replaces every erased text. */
    public static final String ERASED = "erased";

    /** The fields that an event of an unknown type keeps. */
    private static final List<String> ALWAYS_KEPT =
            List.of("type", "agent_id", "timestamp", "event_id", "incarnation", "sequence");

    private ErasedEvent() {}

    /** Returns the detail without erased texts. */
    static String detail(String type, String detail) {
        ObjectNode json = (ObjectNode) Json.stored(detail);
        return Json.text(WireNamed.find(EventType.class, type)
                .map(known -> erased(known, json))
                .orElseGet(() -> json.retain(ALWAYS_KEPT)));
    }

    private static ObjectNode withoutDrainReason(ObjectNode json) {
        return json.has(DRAIN_REASON) ? json.put(DRAIN_REASON, ERASED) : json;
    }

    private static JsonNode erased(EventType type, ObjectNode json) {
        return switch (type) {
            case AGENT_LIFECYCLE, AGENT_HEALTH, AGENT_SCORE -> {
                if (json.has(CAPABILITIES)) {
                    json.putArray(CAPABILITIES);
                }
                if (json.has(PROBE_FAILURE)) {
                    json.put(PROBE_FAILURE, ERASED);
                }
                yield withoutDrainReason(json);
            }
            case AGENT_DRAIN_TIMEOUT -> withoutDrainReason(json);
            case AGENT_DISMISSED -> json.has(NOTE) ? json.put(NOTE, ERASED) : json;
            case AGENT_TRUST -> json.put(REASON, ERASED);
            case AGENT_DECLARATION_CHANGED -> {
                DECLARED.forEach(json::putArray);
                yield json;
            }
            case AUDIT_RECORDED,
                    AGENT_CERTIFICATE_EXPIRING,
                    AGENT_CLOCK_DRIFT,
                    AGENT_STALLED,
                    AGENT_STALL_OVER,
                    AGENT_RUN_FAILED,
                    AGENT_RUN_RECOVERED,
                    LEASE_ACQUIRED,
                    LEASE_RELEASED,
                    LEASE_EXPIRED,
                    LEASE_REVOKED,
                    KEY_EXPIRING,
                    POOL_BELOW_MINIMUM,
                    POOL_RECOVERED,
                    REGISTRY_BLACKOUT,
                    REGISTRY_BLACKOUT_OVER,
                    REGISTRY_MASS_SILENCE,
                    REGISTRY_MASS_SILENCE_OVER,
                    REGISTRY_MASS_RESTART,
                    REGISTRY_MASS_RESTART_OVER,
                    REGISTRY_PROBES_INCONCLUSIVE,
                    REGISTRY_PROBES_INCONCLUSIVE_OVER,
                    REGISTRY_CLOCK_STEPPED,
                    REGISTRY_CLOCK_STEADY -> json;
        };
    }
}
