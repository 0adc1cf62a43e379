package dev.agenthealth.model.operations.notification;

import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.event.EventType;
import dev.agenthealth.model.event.HealthEvents;
import dev.agenthealth.model.event.RegistryEvents;
import dev.agenthealth.model.event.RunResult;
import dev.agenthealth.model.event.Severity;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.health.score.ScoreState;
import dev.agenthealth.model.registry.lifecycle.LifecycleReason;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Phase;
import dev.agenthealth.model.registry.lifecycle.StallChange;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The meaning of an event for notifications.
 *
 * @param type the type of the event
 * @param partOf the type of another event that has the same cause and reports it; empty without one
 * @param verdict the verdict that the event alone leads to; empty if the event says nothing about the use of an agent
 * @param entry the event as messages show it
 * @param order the position among the events of the subject, compared with {@link #LATER}: the time, then the number
 * @param renewal whether a known agent registered again
 */
public record EventReading(
        EventType type,
        Optional<EventType> partOf,
        Optional<Verdict> verdict,
        NotificationEntry entry,
        String order,
        boolean renewal) {

    /** The number of digits of the time in an order, in milliseconds. */
    public static final int DIGITS_OF_MILLIS = 15;

    /**
     * Compares the orders of two events of a subject: first by their numbers, which rise with each event, then by their times. Times alone may be
     * wrong, as each comes from another server's clock, and decide only between events without a number.
     */
    public static final Comparator<String> LATER = Comparator.comparing(
                    (String order) -> order.substring(Math.min(DIGITS_OF_MILLIS, order.length())))
            .thenComparing(Comparator.naturalOrder());

    /** The format of a time for people, such as {@code 02:00 Europe/Berlin on 2026-02-09}. */
    private static final DateTimeFormatter MOMENT =
            DateTimeFormatter.ofPattern("HH:mm VV 'on' uuuu-MM-dd", Locale.ROOT);

    private static final String UTC = "UTC";

    private static final Set<EventType> LEASE_ENDS =
            Set.of(EventType.LEASE_RELEASED, EventType.LEASE_EXPIRED, EventType.LEASE_REVOKED);

    /** The maximum number of declaration parts in a sentence. */
    private static final int MAX_NAMES = 5;

    /** The maximum length of a text. It is longer than every id, status and number of the registry, and fits into a key of the storage. */
    private static final int MAX_WORD = 256;

    private static final int MAX_SUMMARY = 2_000;

    /** The row for an event type in the table. */
    private record Meaning(EventKind kind, Optional<Verdict> verdict, String sentence) {}

    /**
     * Reads the detail of an event.
     *
     * @param detail the texts, numbers and lists of the detail, as texts by name; the elements of a list are separated by a comma and a space
     * @return the event, and the ends of other problems that are over with it; empty if the detail has no id or time, or a text that is longer than
     *     in any event of the registry
     */
    public static List<EventReading> of(EventType type, Map<String, String> detail) {
        Function<String, String> text = name -> detail.getOrDefault(name, "");
        Optional<Instant> at = moment(text.apply("timestamp"));
        if (text.apply("event_id").isEmpty() || at.isEmpty()) {
            return List.of();
        }
        Meaning meaning = meaning(type, text);
        List<EventReading> readings = new ArrayList<>();
        readings.add(reading(type, meaning, text, at.get()));
        boolean ended = type == EventType.AGENT_DISMISSED || type == EventType.AGENT_LIFECYCLE && isDeregistered(text);
        if (ended || type == EventType.AGENT_LIFECYCLE && isRenewal(text)) {
            // These problems have no end event of their own, and the next registration is another process.
            Meaning over = recovery(meaning.sentence());
            readings.add(reading(EventType.AGENT_CLOCK_DRIFT, over, text, at.get()));
            readings.add(reading(EventType.AGENT_DRAIN_TIMEOUT, over, text, at.get()));
            readings.add(reading(EventType.AGENT_RUN_FAILED, over, text, at.get()));
            if (ended && text.apply("replaced").isEmpty()) {
                // A new registration neither replaces the host's certificate nor accepts a declaration.
                readings.add(reading(EventType.AGENT_CERTIFICATE_EXPIRING, over, text, at.get()));
                readings.add(reading(EventType.AGENT_DECLARATION_CHANGED, over, text, at.get()));
            }
        }
        return readings.stream().allMatch(EventReading::fits) ? List.copyOf(readings) : List.of();
    }

    private boolean fits() {
        return entry.summary().length() <= MAX_SUMMARY
                && Stream.of(
                                entry.eventId(),
                                entry.agentId(),
                                entry.roleId(),
                                entry.from(),
                                entry.to(),
                                entry.subject(),
                                order)
                        .allMatch(word -> word.length() <= MAX_WORD);
    }

    private static boolean isRenewal(Function<String, String> text) {
        return text.apply("reason").equals(LifecycleReason.RE_REGISTERED.wireName());
    }

    private static boolean isDeregistered(Function<String, String> text) {
        return text.apply("new_status").equals(LifecycleStatus.DEREGISTERED.wireName());
    }

    private static EventReading reading(EventType type, Meaning meaning, Function<String, String> text, Instant at) {
        NotificationEntry entry = new NotificationEntry(
                text.apply("event_id"),
                type.wireName(),
                meaning.kind(),
                meaning.kind() == EventKind.PROBLEM ? severity(text) : Severity.INFO,
                text.apply("agent_id"),
                text.apply("role_id"),
                at,
                firstOf(text, "previous_status", "previous_state"),
                firstOf(text, "new_status", "new_state", "action"),
                meaning.sentence(),
                subject(type, text));
        Optional<EventType> partOf = text.apply("reason").equals(HealthEvents.BY_LIFECYCLE)
                ? Optional.of(EventType.AGENT_LIFECYCLE)
                : Optional.empty();
        return new EventReading(type, partOf, meaning.verdict(), entry, order(type, at, text), isRenewal(text));
    }

    /** Returns the types of the problems that events of this type end; empty if there is no other type. */
    static Set<EventType> ends(EventType type) {
        return switch (type) {
            case AGENT_DISMISSED -> Set.of(EventType.AGENT_LIFECYCLE);
            case AGENT_STALL_OVER -> Set.of(EventType.AGENT_STALLED);
            case AGENT_RUN_RECOVERED -> Set.of(EventType.AGENT_RUN_FAILED);
            case LEASE_ACQUIRED -> Set.of(EventType.LEASE_EXPIRED, EventType.LEASE_REVOKED);
            case POOL_RECOVERED -> Set.of(EventType.POOL_BELOW_MINIMUM);
            case REGISTRY_BLACKOUT_OVER -> Set.of(EventType.REGISTRY_BLACKOUT);
            case REGISTRY_PROBES_INCONCLUSIVE_OVER -> Set.of(EventType.REGISTRY_PROBES_INCONCLUSIVE);
            case REGISTRY_MASS_SILENCE_OVER -> Set.of(EventType.REGISTRY_MASS_SILENCE);
            case REGISTRY_MASS_RESTART_OVER -> Set.of(EventType.REGISTRY_MASS_RESTART);
            case REGISTRY_CLOCK_STEADY -> Set.of(EventType.REGISTRY_CLOCK_STEPPED);
            default -> Set.of();
        };
    }

    /** Returns the subject of the event. The word before the colon has no colon itself, so that no two subjects share a text. */
    private static String subject(EventType type, Function<String, String> text) {
        String agentId = text.apply("agent_id");
        return switch (type) {
            case AUDIT_RECORDED -> "audit:" + text.apply("event_id");
            case AGENT_LIFECYCLE, AGENT_DISMISSED -> "agent:" + agentId;
            case AGENT_HEALTH,
                    AGENT_SCORE,
                    AGENT_CERTIFICATE_EXPIRING,
                    AGENT_DECLARATION_CHANGED,
                    AGENT_CLOCK_DRIFT,
                    AGENT_DRAIN_TIMEOUT -> type.wireName() + ":" + agentId;
            case AGENT_STALLED, AGENT_STALL_OVER -> "agent.stall:" + agentId;
            case AGENT_RUN_FAILED, AGENT_RUN_RECOVERED -> "agent.run:" + agentId;
            case AGENT_TRUST ->
                agentId.isEmpty() ? "provider.trust:" + text.apply("provider_id") : "agent.trust:" + agentId;
            case LEASE_ACQUIRED, LEASE_RELEASED, LEASE_EXPIRED, LEASE_REVOKED ->
                "lease:" + text.apply("intent_id") + "/" + text.apply("scope");
            case KEY_EXPIRING -> "key:" + text.apply("key_id");
            case POOL_BELOW_MINIMUM, POOL_RECOVERED -> "pool:" + text.apply("role_id");
            case REGISTRY_BLACKOUT, REGISTRY_BLACKOUT_OVER -> "registry:blackout";
            case REGISTRY_MASS_SILENCE, REGISTRY_MASS_SILENCE_OVER -> "registry:mass_silence";
            case REGISTRY_MASS_RESTART, REGISTRY_MASS_RESTART_OVER -> "registry:mass_restart";
            case REGISTRY_PROBES_INCONCLUSIVE, REGISTRY_PROBES_INCONCLUSIVE_OVER -> "registry:probes_inconclusive";
            case REGISTRY_CLOCK_STEPPED, REGISTRY_CLOCK_STEADY -> "registry:clock";
        };
    }

    private static Meaning meaning(EventType type, Function<String, String> text) {
        String agent = "Agent " + text.apply("agent_id");
        return switch (type) {
            case AUDIT_RECORDED ->
                notice(
                        Optional.empty(),
                        "The audit log has " + text.apply("action")
                                + (text.apply("agent_id").isEmpty() ? "" : " of agent " + text.apply("agent_id"))
                                + ".");
            case AGENT_LIFECYCLE -> ofLifecycle(agent, text);
            case AGENT_DISMISSED -> recovery(Verdict.GONE, agent + " was dismissed: it is dead for good.");
            case AGENT_HEALTH -> ofHealth(agent, text);
            case AGENT_SCORE -> ofScore(agent, text);
            case AGENT_CLOCK_DRIFT -> problem(agent + " has a clock that is off by " + text.apply("drift_ms") + " ms.");
            case AGENT_DRAIN_TIMEOUT ->
                problem(agent + " ran out of time while draining, with " + text.apply("current_load")
                        + " tasks in progress.");
            case AGENT_CERTIFICATE_EXPIRING -> ofCertificate(agent, text);
            case AGENT_DECLARATION_CHANGED -> ofDeclaration(agent, text);
            case AGENT_STALLED -> ofStall(agent, text);
            case AGENT_STALL_OVER -> recovery(overSentence(agent, text));
            case AGENT_RUN_FAILED ->
                problem(
                        Verdict.DOWN,
                        agent + " failed in its last run"
                                + (text.apply("exit_code").isEmpty()
                                        ? "."
                                        : " with exit code " + text.apply("exit_code") + "."));
            case AGENT_RUN_RECOVERED ->
                recovery(
                        Verdict.OK,
                        agent
                                + (text.apply("result").equals(RunResult.ADDRESS_REVOKED.wireName())
                                        ? " has no ping address any more: its runs are no longer known."
                                        : " succeeded in its last run."));
            case AGENT_TRUST -> ofTrust(text);
            case LEASE_ACQUIRED -> recovery(lease(text, "is held"));
            case LEASE_RELEASED -> notice(Optional.empty(), lease(text, "was released"));
            case LEASE_EXPIRED -> problem(lease(text, "expired"));
            case LEASE_REVOKED -> problem(lease(text, "was revoked"));
            case POOL_BELOW_MINIMUM ->
                problem("Pool " + text.apply("role_id") + " has " + text.apply("active_instances")
                        + " active agents, fewer than its minimum of " + text.apply("min_instances") + ".");
            case POOL_RECOVERED -> recovery(ofPool(text));
            case KEY_EXPIRING ->
                problem("Key " + text.apply("key_id")
                        + (text.apply("name").isEmpty() ? "" : " (" + text.apply("name") + ")")
                        + " expires"
                        + shown(text.apply("expires_at"), UTC)
                                .map(end -> " at " + end)
                                .orElse(" soon")
                        + ".");
            case REGISTRY_BLACKOUT ->
                problem("The registry fails its self-check: heartbeats do not arrive, and no agent is marked as dead.");
            case REGISTRY_BLACKOUT_OVER -> recovery("The registry passes its self-check again: heartbeats arrive.");
            case REGISTRY_MASS_SILENCE ->
                problem(text.apply("silent_agents") + " of " + text.apply("monitored_agents")
                        + " agents are silent at once: marking agents as dead is limited to "
                        + text.apply("deaths_per_minute") + " a minute.");
            case REGISTRY_MASS_SILENCE_OVER ->
                recovery("The mass silence is over: " + text.apply("silent_agents") + " of "
                        + text.apply("monitored_agents")
                        + " agents are silent, and marking agents as dead is no longer limited.");
            case REGISTRY_MASS_RESTART ->
                problem(text.apply("restarted_agents") + " of " + text.apply("monitored_agents")
                        + " agents restart at once: deaths are postponed, as others may wait for their registration.");
            case REGISTRY_MASS_RESTART_OVER -> recovery("The mass restart is over: deaths are no longer postponed.");
            case REGISTRY_PROBES_INCONCLUSIVE ->
                problem("Most probes fail at once, those of " + failing(text)
                        + ": no watched agent is marked as unhealthy or dead for now.");
            case REGISTRY_PROBES_INCONCLUSIVE_OVER ->
                recovery("Probes are conclusive again: those of " + failing(text) + " fail.");
            case REGISTRY_CLOCK_STEPPED -> problem(stepSentence(text));
            case REGISTRY_CLOCK_STEADY ->
                recovery("The registry's clock is steady again, and its steps have no effects any more.");
        };
    }

    private static String stepSentence(Function<String, String> text) {
        return text.apply("measured_by").equals(RegistryEvents.STORED_TIMES)
                ? "The registry found times that lie " + text.apply("step_ms").replace("-", "")
                        + " ms ahead of its clock, and corrected them: a clock was wrong."
                : "The registry's clock stepped by " + text.apply("step_ms")
                        + " ms, or its machine slept: silence before that does not count.";
    }

    private static String failing(Function<String, String> text) {
        return text.apply("failing_agents") + " of " + text.apply("sampled_agents") + " sampled agents on "
                + text.apply("hosts") + " hosts";
    }

    private static String ofPool(Function<String, String> text) {
        String pool = "Pool " + text.apply("role_id");
        return text.apply("min_instances").equals("0")
                ? pool + " has no minimum any more."
                : pool + " has " + text.apply("active_instances")
                        + " active agents and no longer fewer than its minimum of " + text.apply("min_instances") + ".";
    }

    private static Meaning ofLifecycle(String agent, Function<String, String> text) {
        String status = text.apply("new_status");
        String reason = text.apply("reason");
        Optional<String> failure = probeFailure(text);
        Optional<LifecycleStatus> known = WireNamed.find(LifecycleStatus.class, status);
        if (known.isEmpty()) {
            return notice(Optional.empty(), agent + " is " + status + ".");
        }
        return switch (known.get()) {
            case UNHEALTHY ->
                problem(
                        Verdict.DEGRADED,
                        failure.map(why -> agent + " does not answer as expected: " + why + ".")
                                .orElseGet(() -> agent + " is unhealthy: "
                                        + overdueRun(text).orElse("no heartbeat arrives" + lastHeartbeat(text)) + "."));
            case DEAD ->
                switch (reason) {
                    case "drain_completed" -> recovery(Verdict.DOWN, agent + " completed its drain and ended.");
                    case "drain_timeout" -> problem(Verdict.DOWN, agent + " is dead: its drain timed out.");
                    default ->
                        problem(
                                Verdict.DOWN,
                                agent + " is dead: "
                                        + failure.or(() -> overdueRun(text))
                                                .orElse("no heartbeat arrived" + lastHeartbeat(text))
                                        + ".");
                };
            case ACTIVE ->
                switch (reason) {
                    case "registered" -> notice(Optional.of(Verdict.OK), agent + " registered.");
                    case "re_registered" -> recovery(Verdict.OK, agent + " is active: it registered again.");
                    default -> recovery(Verdict.OK, agent + " is active again.");
                };
            case DEREGISTERED -> recovery(Verdict.GONE, agent + " deregistered.");
            case DRAINING, REGISTERING -> notice(Optional.of(Verdict.DEGRADED), agent + " is " + status + ".");
        };
    }

    /** Returns the run that an agent with a schedule missed; empty for any other event. */
    private static Optional<String> overdueRun(Function<String, String> text) {
        return shown(text.apply("expected_at"), text.apply("time_zone")).map(run -> "it did not run at " + run);
    }

    /** Returns the time of a silent agent's last heartbeat, such as " since 14:02 UTC on 2026-02-08"; empty without one. */
    private static String lastHeartbeat(Function<String, String> text) {
        return shown(text.apply("last_heartbeat_at"), UTC)
                .map(last -> " since " + last)
                .orElse("");
    }

    /**
     * Returns the reason for which the probes of a silent agent fail, such as "connection refused since 14:02 UTC on 2026-02-08"; empty if they do
     * not fail.
     */
    private static Optional<String> probeFailure(Function<String, String> text) {
        return Optional.of(text.apply("probe_failure"))
                .filter(failure -> !failure.isEmpty())
                .map(failure -> failure
                        + shown(text.apply("probe_failing_since"), UTC)
                                .map(since -> " since " + since)
                                .orElse(""));
    }

    private static Meaning ofCertificate(String agent, Function<String, String> text) {
        return problem(agent + " has a certificate that ends "
                + shown(text.apply("certificate_ends_at"), UTC)
                        .map(end -> "at " + end)
                        .orElse("soon")
                + ".");
    }

    private static Meaning ofDeclaration(String agent, Function<String, String> text) {
        String changes = Stream.of("added", "removed", "altered")
                .filter(list -> !text.apply(list).isEmpty())
                .map(list -> list + " " + some(text.apply(list)))
                .collect(Collectors.joining("; "));
        return changes.isEmpty()
                ? recovery(agent + " declares what was accepted.")
                : problem(agent + " declares something else than what was accepted: " + changes + ".");
    }

    /** Returns the first names of a list, and the number of further names. */
    private static String some(String list) {
        String[] names = list.split(", ");
        String first = Stream.of(names).limit(MAX_NAMES).collect(Collectors.joining(", "));
        return names.length > MAX_NAMES ? first + " and " + (names.length - MAX_NAMES) + " more" : first;
    }

    private static Meaning ofStall(String agent, Function<String, String> text) {
        return problem(
                severity(text) == Severity.ERROR ? Verdict.DOWN : Verdict.DEGRADED,
                agent + " has been stalled " + place(text)
                        + shown(text.apply("stalled_since"), "")
                                .map(since -> " since " + since)
                                .orElse("")
                        + ": no progress for " + text.apply("no_progress_seconds") + " s.");
    }

    private static String overSentence(String agent, Function<String, String> text) {
        String ended = text.apply("reason").equals(StallChange.Reason.ENDED.wireName()) ? ": the agent is gone." : ".";
        return agent + " is no longer stalled " + place(text) + ", after " + text.apply("stalled_seconds") + " s"
                + ended;
    }

    private static String place(Function<String, String> text) {
        return WireNamed.find(Phase.class, text.apply("phase"))
                .orElse(Phase.OTHER)
                .place();
    }

    /**
     * Returns the meaning of a health status. A change from a bad status to unknown counts as a recovery, as no other event would end the problem
     * if no execution follows.
     */
    private static Meaning ofHealth(String agent, Function<String, String> text) {
        boolean byLifecycle = text.apply("reason").equals(HealthEvents.BY_LIFECYCLE);
        return switch (health(text.apply("new_status"))) {
            case HEALTHY -> recovery(Verdict.OK, agent + " works as declared.");
            case DEGRADED ->
                problem(
                        Verdict.DEGRADED,
                        agent
                                + (byLifecycle
                                        ? " is unhealthy: no sign of life arrives."
                                        : " works worse than it declares."));
            case UNHEALTHY ->
                problem(Verdict.DOWN, agent + (byLifecycle ? " is dead." : " fails in most of its executions."));
            case UNKNOWN -> {
                boolean wasKnown = isBad(health(text.apply("previous_status")));
                boolean gone = text.apply("lifecycle_status").equals(LifecycleStatus.DEREGISTERED.wireName());
                String sentence = agent
                        + (gone
                                ? " deregistered: its health is no longer measured."
                                : " has too few executions: its health is unknown.");
                yield wasKnown ? recovery(Verdict.UNKNOWN, sentence) : notice(Optional.of(Verdict.UNKNOWN), sentence);
            }
        };
    }

    private static HealthStatus health(String status) {
        return WireNamed.find(HealthStatus.class, status).orElse(HealthStatus.UNKNOWN);
    }

    private static boolean isBad(HealthStatus status) {
        return status == HealthStatus.DEGRADED || status == HealthStatus.UNHEALTHY;
    }

    private static Meaning ofScore(String agent, Function<String, String> text) {
        ScoreState state = score(text.apply("new_state"));
        String sentence = agent + " has a score that is " + state.name().toLowerCase(Locale.ROOT) + ".";
        return switch (state) {
            case HEALTHY -> recovery(Verdict.OK, sentence);
            case DEGRADED, UNHEALTHY -> problem(Verdict.DEGRADED, sentence);
            case INACTIVE ->
                score(text.apply("previous_state")).severity() > 0
                        ? recovery(sentence)
                        : notice(Optional.empty(), sentence);
        };
    }

    private static ScoreState score(String state) {
        return WireNamed.find(ScoreState.class, state).orElse(ScoreState.INACTIVE);
    }

    private static Meaning ofTrust(Function<String, String> text) {
        String agentId = text.apply("agent_id");
        String who = agentId.isEmpty() ? "Provider " + text.apply("provider_id") : "Agent " + agentId;
        return text.apply("action").equals("blocked")
                ? problem(Verdict.BLOCKED, who + " was blocked.")
                : recovery(
                        Verdict.OK,
                        who
                                + (text.apply("until").isEmpty()
                                        ? " was unblocked."
                                        : " is no longer blocked: the time of its block is over."));
    }

    /** Returns the severity in the detail of the event. */
    private static Severity severity(Function<String, String> text) {
        return WireNamed.find(Severity.class, text.apply("severity")).orElse(Severity.WARNING);
    }

    private static Meaning problem(Verdict verdict, String sentence) {
        return new Meaning(EventKind.PROBLEM, Optional.of(verdict), sentence);
    }

    private static Meaning problem(String sentence) {
        return new Meaning(EventKind.PROBLEM, Optional.empty(), sentence);
    }

    private static Meaning recovery(Verdict verdict, String sentence) {
        return new Meaning(EventKind.RECOVERY, Optional.of(verdict), sentence);
    }

    private static Meaning recovery(String sentence) {
        return new Meaning(EventKind.RECOVERY, Optional.empty(), sentence);
    }

    private static Meaning notice(Optional<Verdict> verdict, String sentence) {
        return new Meaning(EventKind.NOTICE, verdict, sentence);
    }

    private static String lease(Function<String, String> text, String what) {
        return "The lease on " + text.apply("scope") + " of intent " + text.apply("intent_id") + " " + what
                + "; its agent: " + text.apply("agent_id") + ".";
    }

    private static String order(EventType type, Instant at, Function<String, String> text) {
        // An id may be blocked before it registers. The beginning and the end of a lease have the same token.
        String number = firstOf(text, "revision", "fencing_token", "sequence");
        boolean endOfLease = LEASE_ENDS.contains(type);
        return String.format(Locale.ROOT, "%015d%19s%s", Math.max(0, at.toEpochMilli()), number, endOfLease ? "1" : "")
                .replace(' ', '0');
    }

    private static String firstOf(Function<String, String> text, String... names) {
        for (String name : names) {
            if (!text.apply(name).isEmpty()) {
                return text.apply(name);
            }
        }
        return "";
    }

    /** Returns the moment in the form of {@link #MOMENT}, in UTC if the time zone is unknown; empty if the text is no moment. */
    private static Optional<String> shown(String moment, String timeZone) {
        return moment(moment).map(at -> MOMENT.format(at.atZone(zone(timeZone))));
    }

    private static ZoneId zone(String name) {
        try {
            return ZoneId.of(name);
        } catch (DateTimeException e) {
            return ZoneId.of(UTC);
        }
    }

    private static Optional<Instant> moment(String text) {
        try {
            return Optional.of(Instant.parse(text)).filter(Timestamps::isWritable);
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
