package dev.agenthealth.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;

/**
 * A call of a model provider in an execution. The registry finds failures that many agents of a provider share, and reports them as one problem.
 * Immutable: each method returns a changed copy.
 */
public final class Upstream {

    /** The reason why a call of a provider failed. */
    public enum Error {
        /** Status 429. */
        RATE_LIMITED,
        /** Status 5xx, or no connection. */
        UNAVAILABLE,
        /** Status 408 or 504, or no answer in time. */
        TIMEOUT,
        /** Status 401 or 403. The failure is the agent's own. */
        AUTH
    }

    private final ObjectNode json;

    private Upstream(ObjectNode json) {
        this.json = json;
    }

    /** Returns a call that the provider answered, such as a call of {@code openai}. */
    public static Upstream of(String provider) {
        return new Upstream(Json.object().put("provider", provider));
    }

    /** Sets the model that was called. */
    public Upstream model(String model) {
        return new Upstream(json.deepCopy().put("model", model));
    }

    /** Sets the reason why the call failed. It belongs to a failure only. */
    public Upstream error(Error error) {
        return new Upstream(json.deepCopy().put("error", error.name().toLowerCase(Locale.ROOT)));
    }

    ObjectNode json() {
        return json.deepCopy();
    }
}
