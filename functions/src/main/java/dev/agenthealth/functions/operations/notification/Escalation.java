package dev.agenthealth.functions.operations.notification;

import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.notifications.DeferredStore;
import dev.agenthealth.functions.storage.notifications.DeferredStore.Deferring;
import dev.agenthealth.functions.storage.problems.ProblemStore;
import dev.agenthealth.model.event.EventKind;
import dev.agenthealth.model.operations.notification.NotificationRule;
import dev.agenthealth.model.operations.notification.ReceivedEvent;
import dev.agenthealth.model.operations.problem.EscalationRule;
import dev.agenthealth.model.operations.problem.SubjectProblem;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Defers problems for rules that report only problems that have been open and unacknowledged for some time. Readings wait in the store of deferred
 * readings, in one batch for each rule and period. Runs may overlap, fail at any point and be repeated. Thread-safe.
 */
final class Escalation {

    private static final int PAGE_SIZE = 450;

    private final DeferredStore deferred;
    private final ProblemStore problems;
    private final Clock clock;

    Escalation(Database database, Clock clock) {
        this.deferred = new DeferredStore(database);
        this.problems = new ProblemStore(database);
        this.clock = clock;
    }

    /**
     * Returns the readings that a rule gets now, and defers the others. Recoveries pass at once, so that they overtake the deferred problems that they
     * end.
     */
    List<ReceivedEvent> ready(NotificationRule rule, List<ReceivedEvent> readings) {
        if (rule.after().isZero()) {
            return readings;
        }
        Instant now = clock.instant();
        Map<String, SubjectProblem> open = problems.of(readings.stream()
                .filter(reading -> !EscalationRule.dueAt(rule, reading, now).isAfter(now))
                .map(reading -> reading.entry().subject())
                .toList());
        List<ReceivedEvent> ready = new ArrayList<>();
        Map<Instant, List<ReceivedEvent>> later = new TreeMap<>();
        for (ReceivedEvent reading : readings) {
            if (reading.entry().kind() == EventKind.RECOVERY) {
                ready.add(reading);
            } else if (reading.entry().kind() == EventKind.PROBLEM) {
                Optional<SubjectProblem> problem =
                        Optional.ofNullable(open.get(reading.entry().subject()));
                EscalationRule.next(rule, reading, problem, now)
                        .ifPresent(at -> (at.isAfter(now) ? later.computeIfAbsent(at, key -> new ArrayList<>()) : ready)
                                .add(reading));
            }
        }
        Map<String, List<ReceivedEvent>> batches = new HashMap<>();
        later.forEach((at, some) -> batches.computeIfAbsent(EscalationRule.batch(rule, at), key -> new ArrayList<>())
                .addAll(some));
        batches.forEach(deferred::defer);
        return ready;
    }

    /**
     * Passes readings to their rules when they are due. Readings of a rule that is gone are removed.
     *
     * @param rules the active rules, by name
     * @param toRule receives readings before they are removed, so that a reading may come twice; the rules recognise duplicates
     * @param until the time at which the work stops; the next run continues
     * @return the number of readings
     */
    int release(
            Map<String, NotificationRule> rules,
            BiConsumer<NotificationRule, List<ReceivedEvent>> toRule,
            Instant until) {
        int released = 0;
        for (Deferring batch : deferred.deferring()) {
            if (EscalationRule.isDue(batch.silenceId(), clock.instant())) {
                Optional<NotificationRule> rule =
                        Optional.ofNullable(rules.get(EscalationRule.ruleOf(batch.silenceId())));
                released += release(batch, rule, toRule, until);
            }
        }
        return released;
    }

    private int release(
            Deferring batch,
            Optional<NotificationRule> rule,
            BiConsumer<NotificationRule, List<ReceivedEvent>> toRule,
            Instant until) {
        int released = 0;
        while (clock.instant().isBefore(until)) {
            List<ReceivedEvent> readings = deferred.first(batch.silenceId(), PAGE_SIZE);
            if (readings.isEmpty()) {
                deferred.end(batch);
                break;
            }
            rule.ifPresent(known -> toRule.accept(known, readings));
            deferred.remove(batch.silenceId(), readings);
            released += readings.size();
        }
        return released;
    }
}
