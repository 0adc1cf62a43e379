package dev.agenthealth.functions.storage.agents;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.registry.profile.AgentProfile;

/** Whence an imported agent comes, as its metadata has it. */
public final class ImportedFrom {

    /** The field of the metadata. */
    public static final String FIELD = "imported_from";

    private ImportedFrom() {}

    /** The name of the source that registered an agent; empty for an agent of its owner. */
    public static String source(AgentProfile profile) {
        return field(profile).path("source").asText("");
    }

    /** The name of the entry in its source; empty for an agent of its owner. */
    public static String identifier(AgentProfile profile) {
        return field(profile).path("identifier").asText("");
    }

    private static JsonNode field(AgentProfile profile) {
        return Json.stored(profile.description().metadata()).path(FIELD);
    }
}
