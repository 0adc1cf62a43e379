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

    /** Returns {@code agent}, {@code coordinator}, {@code viewer} or {@code administrator}. */
    public String role() {
        return Json.text(node(), "role");
    }

    /** Returns the name for people; empty for none. */
    public String name() {
        return Json.text(node(), "name");
    }

    /** Returns the roles of agents that the key is limited to; empty for all. */
    public List<String> roleIds() {
        return Json.texts(node(), "role_ids");
    }

    /** Returns the providers that the key is granted; empty for none. */
    public List<String> providerIds() {
        return Json.texts(node(), "provider_ids");
    }

    /** Returns true if it is the key of a coordinator or a viewer of all agents. */
    public boolean allRoles() {
        return node().path("all_roles").asBoolean();
    }

    /** Returns the UTC date of its last accepted use; empty if there was none, or the record does not come from a list. */
    public Optional<LocalDate> lastUsedOn() {
        return Optional.of(Json.text(node(), "last_used_on"))
                .filter(day -> !day.isEmpty())
                .map(LocalDate::parse);
    }

    /** Returns the address of the first use on that day; empty if it is unknown. */
    public String lastUsedFrom() {
        return Json.text(node(), "last_used_from");
    }

    /** Returns the limits beyond its role. */
    public KeyLimits limits() {
        String end = node().path("expires_at").asText("");
        return new KeyLimits(
                node().hasNonNull("expires_at") ? Optional.of(Instant.parse(end)) : Optional.empty(),
                Json.texts(node(), "allowed_addresses"),
                Json.texts(node(), "actions"));
    }
}
