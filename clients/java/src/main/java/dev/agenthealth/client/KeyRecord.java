package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

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
}
