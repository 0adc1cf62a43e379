package dev.agenthealth.functions.operations.containment;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.containment.StoredContainment;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.health.containment.ContainmentAction;
import dev.agenthealth.model.health.containment.ContainmentCase;
import dev.agenthealth.model.health.containment.ContainmentMode;
import dev.agenthealth.model.health.containment.ContainmentReason;
import dev.agenthealth.model.health.containment.ContainmentRule;
import dev.agenthealth.model.health.containment.ContainmentRule.Filter;
import dev.agenthealth.model.health.containment.ContainmentRule.Release;
import dev.agenthealth.model.health.containment.ContainmentRule.When;
import dev.agenthealth.model.health.trust.Containment;
import dev.agenthealth.model.registry.profile.AgentKind;
import dev.agenthealth.model.registry.profile.CapabilityTag;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Reads and shows containment rules and their cases. */
final class ContainmentFields {

    private static final int MAX_NAMES = 50;
    private static final String RELEASE = "release";

    private ContainmentFields() {}

    /** Reads a rule, and records an error for each invalid field. Use the rule only if no error was recorded. */
    static ContainmentRule read(String name, Fields body, Instant createdAt) {
        body.require("when");
        body.require("action");
        Filter filter = filter(body.object("filter"));
        When when = when(body.object("when"), body.has("when"));
        ContainmentAction action = body.oneOf("action", ContainmentAction.class).orElse(ContainmentAction.BLOCK);
        ContainmentMode mode = body.oneOf("mode", ContainmentMode.class).orElse(ContainmentMode.OBSERVE);
        Release release = release(body.object(RELEASE));
        if (body.has(RELEASE) && action != ContainmentAction.BLOCK) {
            body.refuse(RELEASE, "needs the action block");
        }
        body.refuseUnknown();
        return new ContainmentRule(name, createdAt, filter, when, action, mode, release);
    }

    private static Filter filter(Fields fields) {
        Filter filter = new Filter(
                ids(fields, "roles"),
                ids(fields, "owners"),
                ids(fields, "providers"),
                Set.copyOf(fields.texts("capabilities", MAX_NAMES, CapabilityTag.MAX_LENGTH)),
                fields.oneOf("kind", AgentKind.class));
        fields.refuseUnknown();
        return filter;
    }

    private static Set<String> ids(Fields fields, String name) {
        return Set.copyOf(fields.ids(name, MAX_NAMES));
    }

    private static When when(Fields fields, boolean given) {
        Set<ContainmentReason> reasons = fields.anyOf("reasons", ContainmentReason.class);
        if (given && fields.any("reasons").isEmpty()) {
            fields.refuse("reasons", "must name at least one reason");
        }
        When when = new When(
                reasons,
                fields.integer("min_executions", 0, When.MAX_EXECUTIONS).orElse(0),
                Duration.ofSeconds(fields.integer("for_seconds", 0, (int) When.MAX_DURATION.toSeconds())
                        .orElse(0)));
        fields.refuseUnknown();
        return when;
    }

    private static Release release(Fields fields) {
        int seconds = fields.integer(
                        "after_seconds", (int) Release.MIN_AFTER.toSeconds(), (int) Containment.MAX_PERIOD.toSeconds())
                .orElse((int) Release.DEFAULT.after().toSeconds());
        int calls = fields.integer("trial_calls", 1, Release.MAX_TRIAL_CALLS).orElse(Release.DEFAULT.trialCalls());
        fields.refuseUnknown();
        return new Release(Duration.ofSeconds(seconds), calls);
    }

    /** Returns a rule in the form that administrators see. */
    static ObjectNode shown(StoredContainment stored) {
        ContainmentRule rule = stored.rule();
        ObjectNode json = Json.object().put("name", rule.name());
        json.put("mode", rule.mode().wireName());
        ObjectNode filter = json.putObject("filter");
        put(filter, "roles", rule.filter().roles());
        put(filter, "owners", rule.filter().owners());
        put(filter, "providers", rule.filter().providers());
        put(filter, "capabilities", rule.filter().capabilities());
        rule.filter().kind().ifPresent(kind -> filter.put("kind", kind.wireName()));
        ObjectNode when = json.putObject("when");
        put(when, "reasons", words(rule.when().reasons()));
        when.put("min_executions", rule.when().minExecutions());
        when.put("for_seconds", rule.when().duration().toSeconds());
        json.put("action", rule.action().wireName());
        if (rule.action() == ContainmentAction.BLOCK) {
            ObjectNode release = json.putObject(RELEASE);
            release.put("after_seconds", rule.release().after().toSeconds());
            release.put("trial_calls", rule.release().trialCalls());
        }
        json.put("created_at", Timestamps.text(rule.createdAt()));
        stored.heldBack().ifPresent(held -> {
            ObjectNode shown = json.putObject("held_back");
            shown.put("guard", held.guard().wireName());
            shown.put("agents", held.agents());
            shown.put("since", Timestamps.text(held.since()));
        });
        return json;
    }

    /** Returns the fields of a rule that its author writes, with its name. */
    static ObjectNode declared(StoredContainment stored) {
        return shown(stored).without(List.of("created_at", "held_back"));
    }

    /** Returns a case in the form that administrators see. */
    static ObjectNode shown(ContainmentCase one) {
        ObjectNode json = Json.object().put("agent_id", one.agentId());
        put(json, "reasons", words(one.reasons()));
        json.put("step", one.step().wireName());
        json.put("since", Timestamps.text(one.since()));
        one.done().ifPresent(done -> {
            json.put("action", done.action().wireName());
            json.put("observed", done.observed());
            json.put("last_at", Timestamps.text(done.at()));
            json.put("times", done.times());
        });
        return json;
    }

    private static List<String> words(Collection<? extends WireNamed> words) {
        return words.stream().map(WireNamed::wireName).toList();
    }

    private static void put(ObjectNode json, String name, Collection<String> texts) {
        ArrayNode array = json.putArray(name);
        texts.stream().sorted().forEach(array::add);
    }
}
