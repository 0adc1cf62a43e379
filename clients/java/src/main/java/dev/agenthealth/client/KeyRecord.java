package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/** An API key without its secret. */
public class KeyRecord extends Document {

    KeyRecord(JsonNode json) {
        super(json);
    }

    public String keyId() {
        return Json.text(node(), "key_id");
    }

    /** {@code agent}, {@code coordinator}, {@code viewer} or {@code administrator}. */
    public String role() {
        return Json.text(node(), "role");
    }

    /** For people; empty for none. */
    public String name() {
        return Json.text(node(), "name");
    }

    /** The roles of agents that it is limited to; empty for all. */
    public List<String> roleIds() {
        return Json.texts(node(), "role_ids");
    }

    /** The providers that it is granted; empty for none. */
    public List<String> providerIds() {
        return Json.texts(node(), "provider_ids");
    }

    /** Returns whether it is the key of a coordinator or a viewer of all agents. */
    public boolean allRoles() {
        return node().path("all_roles").asBoolean();
    }

    /** The date in UTC of its last accepted use, where it comes from a list; empty for none yet. */
    public Optional<LocalDate> lastUsedOn() {
        return Optional.of(Json.text(node(), "last_used_on"))
                .filter(day -> !day.isEmpty())
                .map(LocalDate::parse);
    }

    /** The address of the first use on that day; empty where it is unknown. */
    public String lastUsedFrom() {
        return Json.text(node(), "last_used_from");
    }

    /** Its limits beyond its role. */
    public KeyLimits limits() {
        String end = node().path("expires_at").asText("");
        return new KeyLimits(
                node().hasNonNull("expires_at") ? Optional.of(Instant.parse(end)) : Optional.empty(),
                Json.texts(node(), "allowed_addresses"),
                Json.texts(node(), "actions"));
    }
}
