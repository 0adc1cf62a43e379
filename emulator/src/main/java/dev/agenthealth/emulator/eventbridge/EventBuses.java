package dev.agenthealth.emulator.eventbridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.EmulatedAccount;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.template.RuleDefinition;
import dev.agenthealth.template.RuleTarget;
import java.io.IOException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import software.amazon.event.ruler.GenericMachine;

/** The template's event buses and rules, matched by Event Ruler, the engine of EventBridge. Thread-safe. */
public final class EventBuses {

    private static final String DEFAULT_BUS = "default";

    private final Map<String, GenericMachine<RuleDefinition>> rulesByBus = new HashMap<>();
    private final BusEvents events = new BusEvents();
    private final RuleDelivery delivery;

    /**
     * @param buses names of the buses, without the default bus
     * @throws IllegalStateException if a rule names an unknown bus or has an invalid pattern
     */
    public EventBuses(Collection<String> buses, List<RuleDefinition> rules, RuleDelivery delivery) {
        this.delivery = delivery;
        rulesByBus.put(DEFAULT_BUS, GenericMachine.<RuleDefinition>builder().build());
        buses.forEach(bus ->
                rulesByBus.put(bus, GenericMachine.<RuleDefinition>builder().build()));
        rules.forEach(this::addRule);
    }

    /** Returns the events put on the buses so far. */
    public BusEvents events() {
        return events;
    }

    /** Delivers events to the targets of the rules that match them, once to each target, and returns the result of each event. */
    List<PutResult> put(List<BusEntry> entries) {
        Map<String, Batch> batches = new LinkedHashMap<>();
        List<PutResult> results =
                entries.stream().map(entry -> match(entry, batches)).toList();
        batches.values().forEach(batch -> delivery.deliver(batch.target(), batch.envelopes()));
        return results;
    }

    /** The events of a request for a target. */
    private record Batch(RuleTarget target, List<String> envelopes) {}

    /** Adds an event to the batches of its targets, by their ARN. */
    private PutResult match(BusEntry entry, Map<String, Batch> batches) {
        if (entry.source().isEmpty()) {
            return missing("Source");
        }
        if (entry.detailType().isEmpty()) {
            return missing("DetailType");
        }
        if (entry.detail().isEmpty()) {
            return missing("Detail");
        }
        GenericMachine<RuleDefinition> rules = rulesByBus.get(busName(entry.eventBus()));
        if (rules == null) {
            return new PutResult.Refused(
                    "ResourceNotFoundException", "Event bus " + entry.eventBus() + " does not exist.");
        }
        JsonNode detail;
        try {
            detail = Json.read(entry.detail());
        } catch (IOException e) {
            return new PutResult.Refused("MalformedDetail", "Detail is malformed.");
        }
        if (!detail.isObject()) {
            return new PutResult.Refused("MalformedDetail", "Detail is malformed.");
        }
        ObjectNode envelope = envelope(entry, detail);
        match(rules, envelope, batches);
        return new PutResult.Accepted(envelope.path("id").asText());
    }

    private void match(GenericMachine<RuleDefinition> rules, ObjectNode envelope, Map<String, Batch> batches) {
        List<RuleDefinition> matching = rules.rulesForJSONEvent(envelope);
        events.add(new BusEvents.BusEvent(
                envelope,
                matching.stream().map(RuleDefinition::logicalId).sorted().toList()));
        Map<String, RuleTarget> targets = new LinkedHashMap<>();
        matching.stream()
                .flatMap(rule -> rule.targets().stream())
                .forEach(target -> targets.putIfAbsent(target.arn(), target));
        if (targets.isEmpty()) {
            return;
        }
        String text = Json.text(envelope);
        targets.forEach((arn, target) -> batches.computeIfAbsent(arn, key -> new Batch(target, new ArrayList<>()))
                .envelopes()
                .add(text));
    }

    private ObjectNode envelope(BusEntry entry, JsonNode detail) {
        ObjectNode envelope = Json.object();
        envelope.put("version", "0")
                .put("id", UUID.randomUUID().toString())
                .put("detail-type", entry.detailType())
                .put("source", entry.source())
                .put("account", EmulatedAccount.ID)
                .put("time", entry.time().truncatedTo(ChronoUnit.SECONDS).toString())
                .put("region", EmulatedAccount.REGION);
        ArrayNode resources = envelope.putArray("resources");
        entry.resources().forEach(resources::add);
        envelope.set("detail", detail);
        return envelope;
    }

    private void addRule(RuleDefinition rule) {
        GenericMachine<RuleDefinition> rules = rulesByBus.get(rule.eventBus());
        if (rules == null) {
            throw new IllegalStateException(
                    rule.logicalId() + ": there is no event bus " + rule.eventBus() + " in the template");
        }
        try {
            rules.addRule(rule, rule.eventPattern());
        } catch (IOException e) {
            throw new IllegalStateException(rule.logicalId() + ".EventPattern: " + e.getMessage(), e);
        }
    }

    private static String busName(String nameOrArn) {
        return nameOrArn.isEmpty() ? DEFAULT_BUS : nameOrArn.substring(nameOrArn.lastIndexOf('/') + 1);
    }

    private static PutResult missing(String field) {
        return new PutResult.Refused(
                "InvalidArgument",
                "Parameter " + field + " is not valid. Reason: " + field + " is a required argument.");
    }
}
