package dev.agenthealth.functions.trust;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.model.identity.Caller;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** Current records of agents and providers, of one kind. */
interface Records {

    /** The records in the order of the subjects, as this caller may see them. */
    List<ObjectNode> of(Caller caller, List<KnownSubject> subjects);

    /** Puts {@code agent_id} or {@code provider_id}. */
    static void putId(ObjectNode json, KnownSubject known) {
        json.put(known.isAgent() ? "agent_id" : "provider_id", known.subject().id());
    }

    /** Puts the latest of the moments; null where all are {@link Instant#EPOCH}. */
    static void putUpdatedAt(ObjectNode json, Instant... moments) {
        Instant latest = Stream.of(moments).max(Instant::compareTo).orElse(Instant.EPOCH);
        json.put("updated_at", latest.equals(Instant.EPOCH) ? null : latest.toString());
    }
}
