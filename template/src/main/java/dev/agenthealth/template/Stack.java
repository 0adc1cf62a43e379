package dev.agenthealth.template;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * The resources of a {@link Template}, resolved for one deployment, without resources whose condition is false. All lists are in the
 * template's order. Immutable.
 *
 * <p>Every method throws {@link TemplateException}, which names the place, if a value cannot be resolved or is not supported.
 */
public final class Stack {

    private final Map<String, Object> document;
    private final Intrinsics intrinsics;

    Stack(Map<String, Object> document, Resolution resolution) {
        this.document = document;
        this.intrinsics = new Intrinsics(document, resolution);
    }

    /** Returns every function. */
    public List<FunctionDefinition> functions() {
        Map<String, Object> globals = new Section("template", document)
                .child("Globals")
                .child("Function")
                .values();
        Map<String, List<Route>> routes = routes();
        PolicyReader policies = policies();
        List<FunctionDefinition> functions = new ArrayList<>();
        forEach("AWS::Serverless::Function", (logicalId, properties) -> {
            Map<String, Object> merged = Globals.merged(globals, properties.values());
            functions.add(FunctionReader.read(
                    logicalId,
                    resolved(new Section(properties.place(), merged)),
                    routes.getOrDefault(logicalId, List.of()),
                    policies.ofFunction(new Section(properties.place(), merged))));
        });
        return List.copyOf(functions);
    }

    /** Returns the routes of every API, by the logical id of the function behind them. */
    private Map<String, List<Route>> routes() {
        Map<String, List<Route>> routes = new LinkedHashMap<>();
        forEach("AWS::Serverless::HttpApi", (logicalId, properties) -> ApiReader.routes(
                        properties.child("DefinitionBody"))
                .forEach((function, of) -> routes.computeIfAbsent(function, id -> new ArrayList<>())
                        .addAll(of)));
        return routes;
    }

    private PolicyReader policies() {
        PolicyReader policies = new PolicyReader();
        forEach(
                "AWS::IAM::ManagedPolicy",
                (logicalId, properties) -> policies.readManagedPolicy(logicalId, resolved(properties)));
        forEach("AWS::IAM::Role", (logicalId, properties) -> policies.readRole(logicalId, resolved(properties)));
        forEach("AWS::IAM::Policy", (logicalId, properties) -> policies.readPolicy(resolved(properties)));
        return policies;
    }

    /** Returns every table. */
    public List<TableDefinition> tables() {
        List<TableDefinition> tables = new ArrayList<>();
        forEach(
                "AWS::DynamoDB::Table",
                (logicalId, properties) -> tables.add(TableReader.read(logicalId, resolved(properties))));
        return List.copyOf(tables);
    }

    /** Returns every queue. */
    public List<QueueDefinition> queues() {
        List<QueueDefinition> queues = new ArrayList<>();
        forEach("AWS::SQS::Queue", (logicalId, properties) -> {
            Section address = resolved(new Section(
                    logicalId,
                    Map.of(
                            "Url", Map.of("Ref", logicalId),
                            "Arn", Map.of("Fn::GetAtt", List.of(logicalId, "Arn")))));
            queues.add(QueueReader.read(logicalId, resolved(properties), address.text("Url"), address.text("Arn")));
        });
        return List.copyOf(queues);
    }

    /** Returns every enabled rule of every event bus. */
    public List<RuleDefinition> rules() {
        List<RuleDefinition> rules = new ArrayList<>();
        forEach("AWS::Events::Rule", (logicalId, properties) -> {
            Section resolved = resolved(properties);
            if (RuleReader.enabled(resolved)) {
                rules.add(RuleReader.read(logicalId, resolved));
            }
        });
        return List.copyOf(rules);
    }

    /** Returns the physical names of the event buses. */
    public List<String> eventBuses() {
        List<String> buses = new ArrayList<>();
        forEach(
                "AWS::Events::EventBus",
                (logicalId, properties) -> buses.add(resolved(properties).text("Name")));
        return List.copyOf(buses);
    }

    /** Returns the logical ids of the resources of a type. */
    public List<String> ids(String type) {
        List<String> ids = new ArrayList<>();
        forEach(type, (logicalId, properties) -> ids.add(logicalId));
        return List.copyOf(ids);
    }

    /** Returns the resolved properties of every resource of a type, by logical id; functions without the globals. */
    public Map<String, Map<String, Object>> properties(String type) {
        Map<String, Map<String, Object>> found = new LinkedHashMap<>();
        forEach(
                type,
                (logicalId, properties) -> found.put(
                        logicalId,
                        Collections.unmodifiableMap(resolved(properties).values())));
        return found;
    }

    /** Returns the logical ids of the functions that have a URL, by the logical id of the URL. */
    public Map<String, String> functionUrls() {
        Map<String, String> urls = new LinkedHashMap<>();
        // Not resolved, because the result would be the ARN of the function's alias.
        forEach(
                "AWS::Lambda::Url",
                (logicalId, properties) -> urls.put(
                        logicalId,
                        properties.child("TargetFunctionArn").text("Ref").replaceFirst("\\.Alias$", "")));
        return Map.copyOf(urls);
    }

    private void forEach(String type, BiConsumer<String, Section> action) {
        Section resources = new Section("template", document).child("Resources");
        for (String logicalId : resources.values().keySet()) {
            Section resource = resources.child(logicalId);
            if (resource.text("Type").equals(type)
                    && intrinsics.holds(resource.optionalText("Condition").orElse(""))) {
                action.accept(
                        logicalId,
                        new Section(logicalId, resource.child("Properties").values()));
            }
        }
    }

    private Section resolved(Section section) {
        try {
            return Section.of(section.place(), intrinsics.resolve(section.values()));
        } catch (TemplateException e) {
            throw new TemplateException(section.place() + ": " + e.getMessage(), e);
        }
    }
}
