package dev.agenthealth.benchmarks;

import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.Template;
import java.util.HashMap;
import java.util.Map;

/** The functions of {@code template.yaml} and the environment that it gives them, so that a new variable needs no change here. */
public final class TemplateEnvironment {

    private TemplateEnvironment() {}

    /**
     * A function as the template defines it, with an API on this machine that nothing serves.
     *
     * @param logicalId such as {@code HeartbeatFunction}
     */
    public static FunctionDefinition function(String logicalId) {
        return Template.find()
                .stack(Resolution.local()
                        .withAttribute("HttpApi", "ApiEndpoint", "http://127.0.0.1:1")
                        .withParameter("AdminKeySha256", "0".repeat(64)))
                .functions()
                .stream()
                .filter(candidate -> candidate.logicalId().equals(logicalId))
                .findFirst()
                .orElseThrow();
    }

    /** The environment of a function, with other values for some of its variables. */
    public static Map<String, String> of(String logicalId, Map<String, String> other) {
        Map<String, String> environment = new HashMap<>(function(logicalId).environment());
        environment.putAll(other);
        return environment;
    }
}
