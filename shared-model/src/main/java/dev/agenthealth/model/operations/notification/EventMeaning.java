package dev.agenthealth.model.operations.notification;

import dev.agenthealth.model.event.BlockAction;
import dev.agenthealth.model.event.EventDescription;
import dev.agenthealth.model.event.EventFields;
import dev.agenthealth.model.event.EventKind;
import dev.agenthealth.model.event.EventType;
import dev.agenthealth.model.event.RegistryEvents;
import dev.agenthealth.model.event.RunResult;
import dev.agenthealth.model.health.Verdict;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The meaning of one event for people. The description of most types says it all; this class decides about the types whose meaning depends on
 * several fields.
 *
 * @param verdict the verdict that the event alone leads to; empty if the event says nothing about the use of an agent
 */
record EventMeaning(EventKind kind, Optional<Verdict> verdict, String sentence) {

    /** The maximum number of declaration parts in a sentence. */
    private static final int MAX_NAMES = 5;

    static EventMeaning of(EventType type, EventFields fields) {
        return switch (type) {
            case AGENT_LIFECYCLE -> LifecycleMeaning.of(fields);
            case AGENT_HEALTH -> HealthMeaning.ofHealth(fields);
            case AGENT_SCORE -> HealthMeaning.ofScore(fields);
            case AGENT_TRUST -> ofTrust(fields);
            case AGENT_DECLARATION_CHANGED -> ofDeclaration(fields);
            case AGENT_STALLED -> StallMeaning.begun(fields);
            case AGENT_WAITING -> described(type, StallMeaning.waitingSentence(fields));
            case AGENT_LOOPING -> StallMeaning.looping(fields);
            case AGENT_USAGE -> UsageMeaning.of(fields);
            case SHARED_USAGE -> UsageMeaning.shared(fields);
            case AGENT_STALL_OVER -> recovery(StallMeaning.overSentence(fields));
            case AGENT_CERTIFICATE_EXPIRING -> described(type, certificateSentence(fields));
            case AGENT_RUN_RECOVERED -> described(type, runSentence(fields));
            case KEY_EXPIRING -> described(type, keySentence(fields));
            case POOL_RECOVERED -> described(type, poolSentence(fields));
            case REGISTRY_CLOCK_STEPPED -> described(type, stepSentence(fields));
            default -> described(type, fields.fill(type.description().sentence()));
        };
    }

    /** Returns the meaning of an event of a type with one kind. */
    private static EventMeaning described(EventType type, String sentence) {
        EventDescription description = type.description();
        return new EventMeaning(description.kind().orElse(EventKind.NOTICE), description.verdict(), sentence);
    }

    static EventMeaning problem(Verdict verdict, String sentence) {
        return new EventMeaning(EventKind.PROBLEM, Optional.of(verdict), sentence);
    }

    static EventMeaning problem(String sentence) {
        return new EventMeaning(EventKind.PROBLEM, Optional.empty(), sentence);
    }

    static EventMeaning recovery(Verdict verdict, String sentence) {
        return new EventMeaning(EventKind.RECOVERY, Optional.of(verdict), sentence);
    }

    static EventMeaning recovery(String sentence) {
        return new EventMeaning(EventKind.RECOVERY, Optional.empty(), sentence);
    }

    static EventMeaning notice(Verdict verdict, String sentence) {
        return new EventMeaning(EventKind.NOTICE, Optional.of(verdict), sentence);
    }

    static EventMeaning notice(String sentence) {
        return new EventMeaning(EventKind.NOTICE, Optional.empty(), sentence);
    }

    private static EventMeaning ofTrust(EventFields fields) {
        String who = fields.text("agent_id").isEmpty() ? fields.fill("Provider {provider_id}") : agent(fields);
        return fields.is("action", BlockAction.BLOCKED)
                ? problem(Verdict.BLOCKED, who + " was blocked.")
                : recovery(
                        Verdict.OK,
                        who
                                + (fields.text("until").isEmpty()
                                        ? " was unblocked."
                                        : " is no longer blocked: the time of its block is over."));
    }

    private static EventMeaning ofDeclaration(EventFields fields) {
        String changes = Stream.of("added", "removed", "altered")
                .filter(list -> !fields.text(list).isEmpty())
                .map(list -> list + " " + some(fields.text(list)))
                .collect(Collectors.joining("; "));
        return changes.isEmpty()
                ? recovery(agent(fields) + " declares what was accepted.")
                : problem(agent(fields) + " declares something else than what was accepted: " + changes + ".");
    }

    /** Returns the first names of a list, and the number of further names. */
    private static String some(String list) {
        String[] names = list.split(", ");
        String first = Stream.of(names).limit(MAX_NAMES).collect(Collectors.joining(", "));
        return names.length > MAX_NAMES ? first + " and " + (names.length - MAX_NAMES) + " more" : first;
    }

    private static String certificateSentence(EventFields fields) {
        return agent(fields) + " has a certificate that ends " + at("certificate_ends_at", fields) + ".";
    }

    private static String keySentence(EventFields fields) {
        return fields.fill("Key {key_id}[ ({name})] expires ") + at("expires_at", fields) + ".";
    }

    private static String at(String field, EventFields fields) {
        return fields.written(field).map(end -> "at " + end).orElse("soon");
    }

    private static String runSentence(EventFields fields) {
        return agent(fields)
                + (fields.is("result", RunResult.ADDRESS_REVOKED)
                        ? " has no ping address any more: its runs are no longer known."
                        : " succeeded in its last run.");
    }

    private static String poolSentence(EventFields fields) {
        return fields.fill(
                fields.text("min_instances").equals("0")
                        ? "Pool {role_id} has no minimum any more."
                        : "Pool {role_id} has {active_instances} active agents and no longer fewer than its minimum of"
                                + " {min_instances}.");
    }

    private static String stepSentence(EventFields fields) {
        return fields.text("measured_by").equals(RegistryEvents.STORED_TIMES)
                ? "The registry found times that lie "
                        + fields.text("step_ms").replace("-", "")
                        + " ms ahead of its clock, and corrected them: a clock was wrong."
                : fields.fill("The registry's clock stepped by {step_ms} ms, or its machine slept: silence before that"
                        + " does not count.");
    }

    /** Returns the beginning of a sentence about the agent of an event. */
    static String agent(EventFields fields) {
        return "Agent " + fields.text("agent_id");
    }
}
