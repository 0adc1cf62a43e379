package dev.agenthealth.functions.operations.notification;

import dev.agenthealth.functions.operations.silences.SilenceFinder;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.notifications.DeferredStore;
import dev.agenthealth.functions.storage.notifications.DeferredStore.Deferring;
import dev.agenthealth.functions.storage.problems.ProblemStore;
import dev.agenthealth.model.event.EventKind;
import dev.agenthealth.model.operations.notification.ReceivedEvent;
import dev.agenthealth.model.operations.problem.EscalationRule;
import dev.agenthealth.model.operations.problem.ProblemMoment;
import dev.agenthealth.model.operations.silence.Silence;
import dev.agenthealth.model.operations.silence.SilenceLabels;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Defers events during silences, and passes the last state to the rules when a silence is over. Then persisting problems are reported, and
 * recoveries end the alerts that were sent before. Runs may overlap, fail at any point and be repeated. Thread-safe.
 */
final class Deferral {

    private static final int PAGE_SIZE = 450;

    private final SilenceFinder silences;
    private final DeferredStore deferred;
    private final ProblemStore problems;
    private final Clock clock;

    Deferral(Database database, Clock clock) {
        this.silences = new SilenceFinder(database);
        this.deferred = new DeferredStore(database);
        this.problems = new ProblemStore(database);
        this.clock = clock;
    }

    /**
     * The readings for the rules, apart from the readings that silences hold back.
     *
     * @param free the readings that no silence covers
     * @param silenced the subjects with a new problem that a silence holds back, by silence
     */
    record Split(List<ReceivedEvent> free, Map<Silence, List<String>> silenced) {}

    /** Returns the readings for the rules. Problems and recoveries among the other readings are deferred. */
    Split split(List<ReceivedEvent> readings) {
        return split(silences.active(clock.instant()), readings);
    }

    /** Notes on the problems which silence holds their notifications back. */
    void note(Split split) {
        split.silenced()
                .forEach((silence, subjects) ->
                        problems.note(subjects, ProblemMoment.silenced(clock.instant(), silence.id(), silence.name())));
    }

    private Split split(List<Silence> active, List<ReceivedEvent> readings) {
        List<Optional<Silence>> covering = silences.covering(
                active, readings.stream().map(Deferral::labels).toList(), clock.instant());
        List<ReceivedEvent> free = new ArrayList<>();
        Map<String, List<ReceivedEvent>> held = new HashMap<>();
        Map<Silence, List<String>> silenced = new LinkedHashMap<>();
        for (int i = 0; i < readings.size(); i++) {
            ReceivedEvent reading = readings.get(i);
            if (covering.get(i).isEmpty()) {
                free.add(reading);
            } else if (reading.entry().kind() != EventKind.NOTICE) {
                held.computeIfAbsent(covering.get(i).get().id(), id -> new ArrayList<>())
                        .add(reading);
                if (reading.entry().kind() == EventKind.PROBLEM) {
                    silenced.computeIfAbsent(covering.get(i).get(), silence -> new ArrayList<>())
                            .add(reading.entry().subject());
                }
            }
        }
        held.forEach(deferred::defer);
        return new Split(free, silenced);
    }

    private static SilenceLabels labels(ReceivedEvent reading) {
        return SilenceLabels.of(reading.entry().agentId(), reading.entry().roleId());
    }

    /**
     * Passes readings to the rules that silences deferred, if these silences ended, were deleted or were written anew. A reading that another
     * silence now covers is deferred again.
     *
     * @param rules receives readings before they are removed, so that a reading may come twice; the rules recognise duplicates
     * @param until the time at which the work stops; the next run continues
     * @return the number of readings
     */
    int release(Consumer<List<ReceivedEvent>> rules, Instant until) {
        List<Deferring> deferring = deferred.deferring();
        if (deferring.isEmpty()) {
            return 0;
        }
        List<Silence> active = silences.active(clock.instant());
        Set<String> activeIds = active.stream().map(Silence::id).collect(Collectors.toSet());
        int given = 0;
        for (Deferring silence : deferring) {
            if (!EscalationRule.isBatch(silence.silenceId()) && !activeIds.contains(silence.silenceId())) {
                given += release(silence, active, rules, until);
            }
        }
        return given;
    }

    private int release(Deferring silence, List<Silence> active, Consumer<List<ReceivedEvent>> rules, Instant until) {
        int given = 0;
        while (clock.instant().isBefore(until)) {
            List<ReceivedEvent> readings = deferred.first(silence.silenceId(), PAGE_SIZE);
            if (readings.isEmpty()) {
                deferred.end(silence);
                break;
            }
            Split split = split(active, readings);
            rules.accept(split.free());
            deferred.remove(silence.silenceId(), readings);
            note(split);
            given += split.free().size();
        }
        return given;
    }
}
