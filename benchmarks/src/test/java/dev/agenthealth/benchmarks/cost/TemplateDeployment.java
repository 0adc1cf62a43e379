package dev.agenthealth.benchmarks.cost;

import dev.agenthealth.functions.observation.Metric;
import dev.agenthealth.model.configuration.RuntimeConfiguration;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.Stack;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.ProjectFiles;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads from {@code template.yaml} and {@code samconfig.toml} what determines costs. */
final class TemplateDeployment {

    private static final String FUNCTION = "AWS::Serverless::Function";
    private static final String LAMBDA_DEFAULT_LEVEL = "INFO";

    /** A composite alarm costs as much as so many metrics of other alarms. */
    private static final int PRICE_OF_COMPOSITE = 5;

    private static final Pattern ENVIRONMENT = Pattern.compile("\\[(\\w+)\\.deploy\\.parameters]");
    private static final Pattern OVERRIDE = Pattern.compile("\"(\\w+)=([^\"]*)\"");

    private final Template template;
    private final Map<String, Object> document;
    private final Stack stack;
    private final Map<String, String> given;

    private TemplateDeployment(Template template, Map<String, String> given) {
        this.template = template;
        this.document = template.document();
        this.given = given;
        Resolution resolution = Resolution.local()
                .withParameter("AdminKeySha256", "0".repeat(64))
                .withAttribute("HttpApi", "ApiEndpoint", "");
        for (Map.Entry<String, String> parameter : given.entrySet()) {
            resolution = resolution.withParameter(parameter.getKey(), parameter.getValue());
        }
        this.stack = template.stack(resolution);
    }

    /** The template with the defaults of its parameters. */
    static Deployment read() {
        return new TemplateDeployment(Template.find(), Map.of()).deployment();
    }

    /** The template with the parameters of each environment of {@code samconfig.toml}, in its order. */
    static Map<String, Deployment> environments() {
        Template template = Template.find();
        Map<String, Map<String, String>> given = new LinkedHashMap<>();
        String environment = "";
        for (String line : ProjectFiles.text("samconfig.toml").lines().toList()) {
            Matcher header = ENVIRONMENT.matcher(line);
            if (header.matches()) {
                environment = header.group(1).equals("default") ? "dev" : header.group(1);
                given.put(environment, new LinkedHashMap<>());
            }
            Matcher override = OVERRIDE.matcher(line.strip().startsWith("#") ? "" : line);
            while (override.find()) {
                if (template.declaresParameter(override.group(1))) {
                    given.get(environment).put(override.group(1), override.group(2));
                }
            }
        }
        Map<String, Deployment> deployments = new LinkedHashMap<>();
        given.forEach(
                (name, parameters) -> deployments.put(name, new TemplateDeployment(template, parameters).deployment()));
        return deployments;
    }

    private Deployment deployment() {
        Map<String, Object> globals = map(map(document, "Globals"), "Function");
        int usual = number(globals.get("MemorySize"));
        Map<String, Integer> memory = new HashMap<>();
        List<String> functions = template.resourcesOfType(FUNCTION);
        functions.forEach(id -> memory.put(id, number(properties(id).getOrDefault("MemorySize", usual))));
        Map<String, String> routes = new HashMap<>();
        stack.functions().forEach(f -> f.routes().forEach(route -> routes.put(route.routeKey(), f.logicalId())));
        boolean accessLog = stack.properties("AWS::Serverless::HttpApi").values().stream()
                .anyMatch(api -> api.containsKey("AccessLogSettings"));
        List<Map<String, Object>> keys = stack.properties("AWS::DynamoDB::Table").values().stream()
                .map(table -> map(table, "SSESpecification"))
                .filter(key -> String.valueOf(key.get("SSEEnabled")).equals("true"))
                .toList();
        return new Deployment(
                routes,
                memory,
                RuntimeConfiguration.DEFAULT.sweepFanOutAgents(),
                RuntimeConfiguration.DEFAULT.sweepPassesPerMinute(),
                metrics(functions.size()),
                stack.ids("AWS::CloudWatch::Alarm").stream()
                                .mapToInt(id -> metricsOf(properties(id)))
                                .sum()
                        + PRICE_OF_COMPOSITE
                                * stack.ids("AWS::CloudWatch::CompositeAlarm").size(),
                stack.ids("AWS::CloudWatch::Dashboard").size(),
                keys.size(),
                stack.ids("AWS::KMS::Key").size()
                        + (int) keys.stream()
                                .flatMap(key -> Stream.ofNullable(key.get("KMSMasterKeyId")))
                                .distinct()
                                .count(),
                stack.ids("AWS::Events::Archive").isEmpty() ? 0 : parameter("RetentionDays"),
                parameter("RetentionDays"),
                accessLog,
                1.0 / number(map(map(globals, "Environment"), "Variables").get("LOG_SAMPLE_ONE_IN")),
                withLambdaLines(globals),
                traced(globals));
    }

    /** An alarm costs what as many alarms cost as there are metrics that it looks at. */
    private static int metricsOf(Map<String, Object> alarm) {
        return alarm.get("Metrics") instanceof List<?> metrics
                ? (int) metrics.stream()
                        .filter(metric -> metric instanceof Map<?, ?> query && query.containsKey("MetricStat"))
                        .count()
                : 1;
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
                        // Key, token, address, role and agent.
                        case "Cause" -> 5;
                        // None by default.
                        case "Role" -> 0;
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
        return given.containsKey(parameter)
                ? given.get(parameter)
                : String.valueOf(map(map(document, "Parameters"), parameter).get("Default"));
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
