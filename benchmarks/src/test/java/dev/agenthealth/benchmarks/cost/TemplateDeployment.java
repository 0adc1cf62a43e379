package dev.agenthealth.benchmarks.cost;

import dev.agenthealth.functions.observation.Metric;
import dev.agenthealth.model.configuration.RuntimeConfiguration;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.Template;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads from {@code template.yaml} what determines costs. */
final class TemplateDeployment {

    private static final String FUNCTION = "AWS::Serverless::Function";
    private static final String LAMBDA_DEFAULT_LEVEL = "INFO";

    private final Template template;
    private final Map<String, Object> document;

    private TemplateDeployment(Template template) {
        this.template = template;
        this.document = template.document();
    }

    static Deployment read() {
        return new TemplateDeployment(Template.find()).deployment();
    }

    private Deployment deployment() {
        Map<String, Object> globals = map(map(document, "Globals"), "Function");
        int usual = number(globals.get("MemorySize"));
        Map<String, Integer> memory = new HashMap<>();
        List<String> functions = template.resourcesOfType(FUNCTION);
        functions.forEach(id -> memory.put(id, number(properties(id).getOrDefault("MemorySize", usual))));
        Map<String, String> routes = new HashMap<>();
        template.stack(Resolution.local()
                        .withParameter("AdminKeySha256", "0".repeat(64))
                        .withAttribute("HttpApi", "ApiEndpoint", ""))
                .functions()
                .forEach(f -> f.routes().forEach(route -> routes.put(route.routeKey(), f.logicalId())));
        boolean accessLog = template.resourcesOfType("AWS::Serverless::HttpApi").stream()
                        .anyMatch(id -> properties(id).containsKey("AccessLogSettings"))
                && !(template.declaresParameter("AccessLogs")
                        && !value("AccessLogs").equals("true"));
        return new Deployment(
                routes,
                memory,
                RuntimeConfiguration.DEFAULT.sweepFanOutAgents(),
                metrics(functions.size()),
                template.resourcesOfType("AWS::CloudWatch::Alarm").size(),
                template.resourcesOfType("AWS::CloudWatch::Dashboard").size(),
                template.resourcesOfType("AWS::Events::Archive").isEmpty() ? 0 : parameter("RetentionDays"),
                parameter("RetentionDays"),
                accessLog,
                1.0 / number(map(map(globals, "Environment"), "Variables").get("LOG_SAMPLE_ONE_IN")),
                withLambdaLines(globals),
                traced(globals));
    }

    private Set<String> withLambdaLines(Map<String, Object> globals) {
        Object usual = map(globals, "LoggingConfig").getOrDefault("SystemLogLevel", LAMBDA_DEFAULT_LEVEL);
        return template.resourcesOfType(FUNCTION).stream()
                .filter(id -> !map(properties(id), "LoggingConfig")
                        .getOrDefault("SystemLogLevel", usual)
                        .equals("WARN"))
                .collect(Collectors.toSet());
    }

    private Set<String> traced(Map<String, Object> globals) {
        Object usual = globals.getOrDefault("Tracing", "Disabled");
        return template.resourcesOfType(FUNCTION).stream()
                .filter(id -> properties(id).getOrDefault("Tracing", usual).equals("Active"))
                .collect(Collectors.toSet());
    }

    /** Every metric with every value of its dimension, as if all of them occurred in a month. */
    private static int metrics(int functions) {
        int metrics = 0;
        for (Metric metric : Metric.values()) {
            metrics += metric.dimension()
                    .map(dimension -> switch (dimension) {
                        case "Function" -> functions;
                        case "To", "Status" -> LifecycleStatus.values().length;
                        case "Kind" -> InvocationFailure.values().length;
                        default -> throw new IllegalStateException("how many values has " + dimension + "?");
                    })
                    .orElse(1);
        }
        return metrics;
    }

    private int parameter(String name) {
        return number(value(name));
    }

    private String value(String parameter) {
        return String.valueOf(map(map(document, "Parameters"), parameter).get("Default"));
    }

    private Map<String, Object> properties(String id) {
        return map(map(map(document, "Resources"), id), "Properties");
    }

    private static int number(Object value) {
        return Integer.parseInt(String.valueOf(value));
    }

    private static Map<String, Object> map(Map<String, Object> parent, String name) {
        Map<String, Object> map = new HashMap<>();
        if (parent.get(name) instanceof Map<?, ?> found) {
            found.forEach((key, value) -> map.put(String.valueOf(key), value));
        }
        return map;
    }
}
