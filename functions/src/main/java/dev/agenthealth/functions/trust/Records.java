package dev.agenthealth.functions.trust;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.model.identity.Caller;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** Makes a kind of record of agents and providers, as of now. */
interface Records {

    /** The records of these, in their order, as this caller may see them. */
    List<ObjectNode> of(Caller caller, List<KnownSubject> subjects);

    /** Puts the id under the name that it has. */
    static void putId(ObjectNode json, KnownSubject known) {
        json.put(known.isAgent() ? "agent_id" : "provider_id", known.subject().id());
    }

    /** Puts the latest of some moments, one of which at least is known where the record ever changed; else null. */
    static void putUpdatedAt(ObjectNode json, Instant... moments) {
        Instant latest = Stream.of(moments).max(Instant::compareTo).orElse(Instant.EPOCH);
        json.put("updated_at", latest.equals(Instant.EPOCH) ? null : latest.toString());
    }
}
