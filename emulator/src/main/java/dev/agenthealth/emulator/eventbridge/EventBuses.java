package dev.agenthealth.emulator.eventbridge;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.EmulatedAccount;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.emulator.support.RequestIds;
import dev.agenthealth.template.RuleDefinition;
import dev.agenthealth.template.RuleTarget;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import software.amazon.event.ruler.GenericMachine;

/** The template's event buses and rules, matched by Event Ruler, the engine of EventBridge. Thread-safe. */
public final class EventBuses {

    private static final String DEFAULT_BUS = "default";
    private static final String DETAIL = ",\"detail\":";

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
        if (!Json.isObject(entry.detail())) {
            return new PutResult.Refused("MalformedDetail", "Detail is malformed.");
        }
        String id = RequestIds.next();
        match(rules, entry, envelope(entry, id), batches);
        return new PutResult.Accepted(id);
    }

    private void match(
            GenericMachine<RuleDefinition> rules, BusEntry entry, String envelope, Map<String, Batch> batches) {
        List<RuleDefinition> matching = matching(rules, envelope);
        events.add(new BusEvents.BusEvent(
                envelope,
                seconds(entry),
                entry.detailType(),
                matching.stream().map(RuleDefinition::logicalId).sorted().toList()));
        Map<String, RuleTarget> targets = new LinkedHashMap<>();
        matching.stream()
                .flatMap(rule -> rule.targets().stream())
                .forEach(target -> targets.putIfAbsent(target.arn(), target));
        targets.forEach((arn, target) -> batches.computeIfAbsent(arn, key -> new Batch(target, new ArrayList<>()))
                .envelopes()
                .add(envelope));
    }

    private static List<RuleDefinition> matching(GenericMachine<RuleDefinition> rules, String envelope) {
        try {
            return rules.rulesForJSONEvent(envelope);
        } catch (Exception e) {
            throw new IllegalStateException("the envelope of an event is JSON", e);
        }
    }

    /** Returns the event as a target receives it, on one line. The detail is already JSON and is not written anew. */
    private static String envelope(BusEntry entry, String id) {
        ObjectNode head = Json.object();
        head.put("version", "0")
                .put("id", id)
                .put("detail-type", entry.detailType())
                .put("source", entry.source())
                .put("account", EmulatedAccount.ID)
                .put("time", seconds(entry).toString())
                .put("region", EmulatedAccount.REGION);
        ArrayNode resources = head.putArray("resources");
        entry.resources().forEach(resources::add);
        String text = Json.text(head);
        // A line break in JSON is outside of strings.
        String detail = entry.detail().replace('\n', ' ').replace('\r', ' ');
        return new StringBuilder(text.length() + DETAIL.length() + detail.length() + 1)
                .append(text, 0, text.length() - 1)
                .append(DETAIL)
                .append(detail)
                .append('}')
                .toString();
    }

    private static Instant seconds(BusEntry entry) {
        return entry.time().truncatedTo(ChronoUnit.SECONDS);
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
