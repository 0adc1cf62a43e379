package dev.agenthealth.functions.gateway.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.registry.profile.A2aVersion;
import java.util.regex.Pattern;

/**
 * The target for notifications about a task, with its credentials. Immutable.
 *
 * @param id the id of the configuration within its task; may be empty
 * @param token the token for the A2A header; may be empty
 * @param scheme the scheme of the header {@code Authorization}; may be empty
 * @param credentials the credentials after the scheme; may be empty
 */
public record PushConfig(String id, String url, String token, String scheme, String credentials) {

    /** The fields of a message's configuration in version 0.3 and 1.0. */
    static final String OLDER = "pushNotificationConfig";

    static final String NEWER = "taskPushNotificationConfig";

    static final int MAX_ID = 255;
    private static final int MAX_URL = 2_048;
    private static final int MAX_SECRET = 2_048;

    private static final String TOKEN = "token";
    private static final String AUTHENTICATION = "authentication";
    private static final String CREDENTIALS = "credentials";
    private static final String SCHEME = "scheme";

    /** The characters that a header may contain. */
    private static final Pattern PRINTABLE = Pattern.compile("[ -~]*");

    private static final Pattern SCHEME_FORM = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{0,50}");

    /** Reads a configuration in the form of either version; errors are recorded on the fields. */
    static PushConfig of(Fields fields) {
        fields.require("url");
        Fields authentication = fields.object(AUTHENTICATION);
        String scheme = authentication.text(SCHEME, MAX_ID);
        for (String older : authentication.texts("schemes", 10, MAX_ID)) {
            // The credentials belong to one of the schemes.
            scheme = scheme.isEmpty() ? older : scheme;
        }
        String credentials = authentication.text(CREDENTIALS, MAX_SECRET);
        if (!SCHEME_FORM.matcher(scheme).matches()) {
            authentication.refuse(SCHEME, "must be a scheme of HTTP authentication, such as Bearer");
        }
        if (!PRINTABLE.matcher(credentials).matches()) {
            authentication.refuse(CREDENTIALS, "must be printable ASCII");
        }
        if (scheme.isEmpty() && !credentials.isEmpty()) {
            authentication.refuse(SCHEME, "is required with credentials");
        }
        String token = fields.text(TOKEN, MAX_SECRET);
        if (!PRINTABLE.matcher(token).matches()) {
            fields.refuse(TOKEN, "must be printable ASCII");
        }
        return new PushConfig(fields.text("id", MAX_ID), fields.text("url", MAX_URL), token, scheme, credentials);
    }

    /** Returns the configuration in a {@link #secretText()}. */
    public static PushConfig ofSecretText(String text) {
        JsonNode json = Json.stored(text);
        return new PushConfig(
                json.path("id").asText(),
                json.path("url").asText(),
                json.path(TOKEN).asText(),
                json.path(SCHEME).asText(),
                json.path(CREDENTIALS).asText());
    }

    /** Returns the whole configuration as a text, including its secrets. */
    public String secretText() {
        return Json.text(Json.object()
                .put("id", id)
                .put("url", url)
                .put(TOKEN, token)
                .put(SCHEME, scheme)
                .put(CREDENTIALS, credentials));
    }

    /** Returns this configuration, with an id if it has none. */
    public PushConfig withId(String otherwise) {
        return id.isEmpty() ? new PushConfig(otherwise, url, token, scheme, credentials) : this;
    }

    /** Returns this configuration without its secrets, for answers. */
    public PushConfig withoutSecrets() {
        return new PushConfig(id, url, "", scheme, "");
    }

    /** Returns the configuration as part of a task. */
    public ObjectNode ofTask(String taskId, A2aVersion version) {
        if (version == A2aVersion.V1_0) {
            return json(version).put("taskId", taskId);
        }
        ObjectNode json = Json.object().put("taskId", taskId);
        json.set(OLDER, json(version));
        return json;
    }

    ObjectNode json(A2aVersion version) {
        ObjectNode json = Json.object();
        if (!id.isEmpty()) {
            json.put("id", id);
        }
        json.put("url", url);
        if (!token.isEmpty()) {
            json.put(TOKEN, token);
        }
        if (!scheme.isEmpty()) {
            ObjectNode authentication = json.putObject(AUTHENTICATION);
            if (version == A2aVersion.V0_3) {
                authentication.putArray("schemes").add(scheme);
            } else {
                authentication.put(SCHEME, scheme);
            }
            if (!credentials.isEmpty()) {
                authentication.put(CREDENTIALS, credentials);
            }
        }
        return json;
    }

    /** Returns a text without secrets, so that no secret ends up in a log by accident. */
    @Override
    public String toString() {
        return "PushConfig[" + id + "]";
    }
}
