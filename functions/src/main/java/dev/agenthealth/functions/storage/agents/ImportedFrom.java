package dev.agenthealth.functions.storage.agents;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.registry.profile.AgentProfile;

/** Reads the origin of an imported agent from its metadata. */
public final class ImportedFrom {

    /** The field of the metadata. */
    public static final String FIELD = "imported_from";

    private ImportedFrom() {}

    /** Returns the name of the source that registered an agent; empty if its owner registered it. */
    public static String source(AgentProfile profile) {
        return field(profile).path("source").asText("");
    }

    /** Returns the name of the agent's entry in its source; empty if its owner registered it. */
    public static String identifier(AgentProfile profile) {
        return field(profile).path("identifier").asText("");
    }

    private static JsonNode field(AgentProfile profile) {
        return Json.stored(profile.description().metadata()).path(FIELD);
    }
}
