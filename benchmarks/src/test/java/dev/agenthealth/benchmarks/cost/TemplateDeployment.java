package dev.agenthealth.benchmarks.cost;

import dev.agenthealth.functions.observation.Metric;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.template.Template;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads from {@code template.yaml} what of it costs something by itself. */
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
        String level =
                String.valueOf(map(globals, "LoggingConfig").getOrDefault("SystemLogLevel", LAMBDA_DEFAULT_LEVEL));
        return new Deployment(
                memory,
                parameter("SweepFanOutAgents"),
                parameter("LogRetentionDays"),
                metrics(functions.size()),
                template.resourcesOfType("AWS::CloudWatch::Alarm").size(),
                template.resourcesOfType("AWS::CloudWatch::Dashboard").size(),
                !level.equals("WARN"),
                template.resourcesOfType("AWS::Serverless::HttpApi").stream()
                        .anyMatch(id -> properties(id).containsKey("AccessLogSettings")),
                "Active".equals(globals.get("Tracing")),
                !template.resourcesOfType("AWS::Events::Archive").isEmpty());
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
        return number(map(map(document, "Parameters"), name).get("Default"));
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
