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

    private static JsonNode erased(EventType type, ObjectNode json) {
        for (String field : type.description().erased()) {
            if (json.path(field).isArray()) {
                json.putArray(field);
            } else if (json.has(field)) {
                json.put(field, ERASED);
            }
        }
        return json;
    }
}
