package dev.agenthealth.benchmarks;

import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.Template;
import java.util.HashMap;
import java.util.Map;

/** The functions of {@code template.yaml} and their environment in the template, so that a new variable needs no change here. */
public final class TemplateEnvironment {

    private TemplateEnvironment() {}

    /**
     * Returns a function as the template defines it. Nothing serves the URL of its API.
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

    /** Returns the environment of a function, with other values for some variables. */
    public static Map<String, String> of(String logicalId, Map<String, String> other) {
        Map<String, String> environment = new HashMap<>(function(logicalId).environment());
        environment.putAll(other);
        return environment;
    }
}
