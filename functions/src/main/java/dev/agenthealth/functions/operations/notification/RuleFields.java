package dev.agenthealth.functions.operations.notification;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.notifications.DeliveryState;
import dev.agenthealth.functions.storage.notifications.StoredRule;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.event.EventType;
import dev.agenthealth.model.event.Severity;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.operations.notification.NotificationFilter;
import dev.agenthealth.model.operations.notification.NotificationRule;
import dev.agenthealth.model.operations.notification.QuietTime;
import dev.agenthealth.model.operations.problem.EscalationRule;
import dev.agenthealth.model.schedule.TimeZones;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads and shows notification rules without their targets. */
final class RuleFields {

    private static final int MAX_ROLES = 50;
    private static final int MAX_WORD = 64;
    private static final Pattern TIME = Pattern.compile("([01][0-9]|2[0-3]):[0-5][0-9]");

    private RuleFields() {}

    /** Reads a rule, and records an error for each invalid field. Use the rule only if no error was recorded. */
    static NotificationRule read(String name, Fields body, Instant createdAt) {
        body.require("events");
        Set<EventType> events = body.anyOf("events", EventType.class);
        if (body.any("events").isEmpty()) {
            body.refuse("events", "must name at least one type of event");
        }
        NotificationFilter filter = filter(body.object("filter"));
        int seconds = body.integer(
                        "group_seconds", NotificationRule.MIN_GROUP_SECONDS, NotificationRule.MAX_GROUP_SECONDS)
                .orElse(NotificationRule.DEFAULT_GROUP_SECONDS);
        int after = body.integer("after_seconds", 0, EscalationRule.MAX_SECONDS).orElse(0);
        if (after > 0 && events.stream().anyMatch(type -> !type.description().canBeProblem())) {
            body.refuse("after_seconds", "needs types of events that can be problems");
        }
        boolean recovery = body.flag("recovery", true);
        boolean quiets = body.has("quiet");
        Fields quiet = body.object("quiet");
        return new NotificationRule(
                name,
                createdAt,
                events,
                filter,
                new NotificationRule.Timing(
                        Duration.ofSeconds(after),
                        Duration.ofSeconds(seconds),
                        quiets ? quiet(quiet) : Optional.empty()),
                recovery);
    }

    private static NotificationFilter filter(Fields fields) {
        NotificationFilter filter = new NotificationFilter(
                new HashSet<>(fields.ids("role_ids", MAX_ROLES)),
                fields.anyOf("severities", Severity.class),
                fields.anyOf("verdicts", Verdict.class));
        fields.refuseUnknown();
        return filter;
    }

    private static Optional<QuietTime> quiet(Fields fields) {
        Optional<LocalTime> from = time(fields, "from");
        Optional<LocalTime> to = time(fields, "to");
        if (from.isPresent() && from.equals(to)) {
            fields.refuse("to", "must differ from the beginning of the quiet time");
        }
        fields.require("time_zone");
        Optional<ZoneId> zone = Optional.empty();
        try {
            zone = Optional.of(fields.text("time_zone", MAX_WORD))
                    .filter(text -> !text.isEmpty())
                    .map(text -> TimeZones.find(text).orElseGet(() -> ZoneId.of(text)));
        } catch (DateTimeException e) {
            fields.refuse("time_zone", "must be a time zone such as Europe/Berlin or UTC");
        }
        Set<Severity> except = fields.anyOf("except_severities", Severity.class);
        fields.refuseUnknown();
        return from.isPresent() && to.isPresent() && zone.isPresent()
                ? Optional.of(new QuietTime(from.get(), to.get(), zone.get(), except))
                : Optional.empty();
    }

    private static Optional<LocalTime> time(Fields fields, String name) {
        fields.require(name);
        String text = fields.text(name, MAX_WORD);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        if (!TIME.matcher(text).matches()) {
            fields.refuse(name, "must be a time such as 22:00");
            return Optional.empty();
        }
        return Optional.of(LocalTime.parse(text));
    }

    /** Returns a rule in the form that administrators see. */
    static ObjectNode shown(StoredRule stored) {
        NotificationRule rule = stored.rule();
        ObjectNode json = declared(rule, Json.stored(stored.shownTarget()));
        json.put("created_at", Timestamps.text(rule.createdAt()));
        putState(json, stored.state());
        return json;
    }

    /** Returns what a rule declares, without its state. */
    static ObjectNode declared(NotificationRule rule, JsonNode target) {
        ObjectNode json = Json.object().put("name", rule.name());
        put(json, "events", rule.events().stream().map(EventType::wireName).toList());
        ObjectNode filter = json.putObject("filter");
        put(filter, "role_ids", rule.filter().roleIds());
        put(filter, "severities", words(rule.filter().severities()));
        put(filter, "verdicts", words(rule.filter().verdicts()));
        json.set("target", target);
        json.put("after_seconds", rule.after().toSeconds());
        json.put("group_seconds", rule.grouping().toSeconds());
        rule.quiet().ifPresent(quiet -> {
            ObjectNode shown = json.putObject("quiet");
            shown.put("from", quiet.from().toString()).put("to", quiet.to().toString());
            shown.put("time_zone", quiet.zone().getId());
            put(shown, "except_severities", words(quiet.exceptSeverities()));
        });
        return json.put("recovery", rule.recovery());
    }

    private static void putState(ObjectNode json, DeliveryState state) {
        if (!state.lastDelivery().equals(Instant.EPOCH)) {
            json.put("last_delivery", Timestamps.text(state.lastDelivery()));
        }
        if (!state.lastError().isEmpty()) {
            json.put("last_error", state.lastError());
        }
        if (!state.failingSince().equals(Instant.EPOCH)) {
            json.put("failing_since", Timestamps.text(state.failingSince()));
        }
        if (state.isDisabled()) {
            json.put("disabled", state.disabled());
        }
    }

    private static List<String> words(Collection<? extends WireNamed> words) {
        return words.stream().map(WireNamed::wireName).toList();
    }

    private static void put(ObjectNode json, String name, Collection<String> texts) {
        ArrayNode array = json.putArray(name);
        texts.stream().sorted().forEach(array::add);
    }
}
