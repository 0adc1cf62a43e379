package dev.agenthealth.functions.storage.system;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.MILLIS;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.Values.n;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.AttributeType;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.functions.storage.events.EventItem;
import dev.agenthealth.model.Counts;
import dev.agenthealth.model.event.Event;
import dev.agenthealth.model.event.RegistryEvents;
import dev.agenthealth.model.sweep.ClockEpisode;
import dev.agenthealth.model.sweep.ProbeEvidence;
import dev.agenthealth.model.sweep.ProbeSample;
import dev.agenthealth.model.sweep.SweepEvent;
import dev.agenthealth.model.sweep.SweepState;
import dev.agenthealth.model.sweep.SweepStatistics;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Stores the state that passes of the sweep share, in one item. Sweeps may run at the same time. Each write is conditional, so that an
 * episode begins and ends once. Thread-safe.
 */
public final class SweepStateStore {

    /** A moment that may never have come. */
    private static final AttributeType<Instant> SOME_TIME = MOMENT.or(Instant.MIN);

    private static final Attribute<Instant> FIRST_STARTED = new Attribute<>("first_started", SOME_TIME);
    private static final Attribute<Instant> STARTED = new Attribute<>("started", SOME_TIME);
    private static final Attribute<Instant> GRACE_PERIOD = new Attribute<>("grace", MOMENT);
    private static final Attribute<Instant> BLACKOUT = new Attribute<>("blackout", SOME_TIME);
    private static final Attribute<Instant> INCONCLUSIVE = new Attribute<>("inconclusive", SOME_TIME);
    private static final Attribute<Instant> MASS_SILENCE = new Attribute<>("mass_silence", SOME_TIME);
    private static final Attribute<Instant> MASS_RESTART = new Attribute<>("mass_restart", SOME_TIME);
    private static final Attribute<Instant> CLOCK = new Attribute<>("clock", SOME_TIME);
    private static final Attribute<Instant> CLOCK_EFFECTS = new Attribute<>("clock_effects", SOME_TIME);
    private static final Attribute<Long> FLEET = new Attribute<>("fleet", NUMBER);
    private static final Attribute<Instant> STATISTICS_CONFIRMED = new Attribute<>("statistics_at", SOME_TIME);
    private static final Attribute<Instant> MARKED = new Attribute<>("marked", SOME_TIME);
    private static final Attribute<Instant> DAYS = new Attribute<>("days", SOME_TIME);
    private static final Attribute<Long> HEARD = new Attribute<>("heard", NUMBER);
    private static final Attribute<Duration> DETECTION_LAG = new Attribute<>("lag", MILLIS);

    /** The suffix of the attribute with the last end of an episode. */
    private static final String EPISODE_END = "_end";

    private final Database database;
    private final Table registry;

    public SweepStateStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /**
     * The results of earlier passes of one process.
     *
     * @param fleetSize monitored agents at the last count; 0 if there was none
     * @param statisticsConfirmedAt when the stored statistics of the fleet were last confirmed; {@link Instant#MIN} if unknown
     * @param daysThrough the start of the last pass that stored every due day of an agent; {@link Instant#MIN} if unknown
     * @param statistics the findings and actions of the previous pass; its events are added to the events of all passes
     */
    public record Learnt(
            long fleetSize, Instant statisticsConfirmedAt, Instant daysThrough, SweepStatistics statistics) {

        /** No results yet. */
        public static final Learnt NOTHING = new Learnt(0, Instant.MIN, Instant.MIN, SweepStatistics.NONE);
    }

    /**
     * Stores that a pass starts. It is the only write of a pass with nothing to do, and its only read of the state.
     *
     * <p>If no pass started for longer than {@code maxPause}, the same write begins a grace period: the time without heartbeat counts from
     * now on. The grace period is not lost if the pass ends right after the write. The first pass ever begins none, because no outage
     * precedes it.
     *
     * @param learnt is stored in the same write
     * @return the state for this pass
     */
    public SweepState begin(Instant now, Duration maxPause, Learnt learnt) {
        return begin(now, now.minus(maxPause), STARTED.isLessThan(now.minus(maxPause)), learnt);
    }

    /**
     * Stores that a pass starts after a pass that could not be stored. The grace period begins however recently the previous pass started,
     * if there was one.
     *
     * @see #begin
     */
    public SweepState beginAfterFailure(Instant now, Learnt learnt) {
        return begin(now, now, STARTED.isAbsent().or(STARTED.isLessThan(now)), learnt);
    }

    private SweepState begin(Instant now, Instant earliestStart, Condition gap, Learnt learnt) {
        Condition afterGap = gap.and(GRACE_PERIOD.isAbsent().or(GRACE_PERIOD.isLessThan(now)));
        return start(now, learnt, state().when(STARTED.isAtLeast(earliestStart)))
                .or(() -> start(now, learnt, state().set(GRACE_PERIOD, now).when(afterGap))
                        .map(state -> state.withGraceFrom(now)))
                // It is the first pass ever, another sweep started at the same time, or the grace period already ends
                // later.
                .or(() -> start(now, learnt, state()))
                .orElseThrow(() -> new IllegalStateException("an unconditional write was refused"));
    }

    /** Returns the previous state; empty if the condition does not hold. */
    private Optional<SweepState> start(Instant now, Learnt learnt, Update update) {
        update.set(STARTED, now).setIfAbsent(FIRST_STARTED, now);
        if (learnt.fleetSize() > 0) {
            update.set(FLEET, learnt.fleetSize());
        }
        if (learnt.statisticsConfirmedAt().isAfter(Instant.MIN)) {
            update.set(STATISTICS_CONFIRMED, learnt.statisticsConfirmedAt());
        }
        if (learnt.daysThrough().isAfter(Instant.MIN)) {
            update.set(DAYS, learnt.daysThrough());
        }
        learnt.statistics().heard().ifPresent(heard -> update.set(HEARD, heard));
        if (!learnt.statistics().detectionLag().isZero()) {
            update.set(DETECTION_LAG, learnt.statistics().detectionLag());
        }
        for (SweepEvent event : SweepEvent.values()) {
            if (learnt.statistics().events().get(event) > 0) {
                update.add(
                        attribute(event).name(), n(learnt.statistics().events().get(event)));
            }
        }
        return registry.updateAndGetPrevious(update).map(SweepStateStore::read);
    }

    /** Stores that a long pass is still running, so that its end is not followed by a gap; does nothing if a pass started since. */
    public void stillSweeping(Instant now) {
        registry.update(state().set(STARTED, now).when(STARTED.isLessThan(now)));
    }

    /** Stores that every agent whose status changed up to the start of a pass is marked; does nothing if a later pass stored the same. */
    public void markedThrough(Instant passStart) {
        registry.update(state().set(MARKED, passStart).when(MARKED.isAbsent().or(MARKED.isLessThan(passStart))));
    }

    /** Returns when the stored statistics of the fleet were last confirmed, by the state's item. */
    static Instant statisticsConfirmedAt(Map<String, AttributeValue> item) {
        return STATISTICS_CONFIRMED.of(item);
    }

    /** Returns the findings and actions of passes, by the state's item. */
    static SweepStatistics statistics(Map<String, AttributeValue> item) {
        Map<SweepEvent, Long> events = new EnumMap<>(SweepEvent.class);
        for (SweepEvent event : SweepEvent.values()) {
            events.put(event, attribute(event).of(item));
        }
        return new SweepStatistics(
                HEARD.isIn(item) ? OptionalLong.of(HEARD.of(item)) : OptionalLong.empty(),
                DETECTION_LAG.of(item),
                new Counts<>(events));
    }

    private static Attribute<Long> attribute(SweepEvent event) {
        return new Attribute<>("n_" + event.wireName(), NUMBER);
    }

    /** Returns the state as of now. */
    public SweepState current() {
        return read(registry.get(ItemKind.SWEEP_STATE.key()));
    }

    /** Begins a blackout with its event, now or right after the end of the previous blackout. Returns {@code false} if another sweep began it. */
    public boolean beginBlackout(Instant now, Function<Instant, Event> event) {
        return beginEpisode(BLACKOUT, now, event);
    }

    /**
     * Ends a blackout with its event and its grace period, unless another grace period ends later. Returns {@code false} if another sweep
     * ended it.
     */
    public boolean endBlackout(Instant since, Instant now, Event event) {
        Condition shorter = GRACE_PERIOD.isAbsent().or(GRACE_PERIOD.isAtMost(now));
        return endBlackout(since, event, state().set(GRACE_PERIOD, now).when(shorter))
                || endBlackout(since, event, state().when(GRACE_PERIOD.isMoreThan(now)));
    }

    private boolean endBlackout(Instant since, Event event, Update update) {
        return endEpisode(BLACKOUT, since, event, update);
    }

    /** Stores that results of the self-check are inconclusive since now; does nothing if another sweep stored it. */
    public void beginInconclusive(Instant now) {
        registry.update(state().set(INCONCLUSIVE, now).when(INCONCLUSIVE.isAbsent()));
    }

    /** Stores that the last result is not inconclusive; does nothing if another sweep stored an inconclusive result since. */
    public void endInconclusive(Instant since) {
        registry.update(state().remove(INCONCLUSIVE.name()).when(INCONCLUSIVE.is(since)));
    }

    /**
     * Begins a mass silence with its event, now or right after the end of the previous mass silence. Returns {@code false} if another sweep
     * began it.
     */
    public boolean beginMassSilence(Instant now, Function<Instant, Event> event) {
        return beginEpisode(MASS_SILENCE, now, event);
    }

    /** Ends a mass silence with its event. Returns {@code false} if another sweep ended it, or another mass silence has begun since. */
    public boolean endMassSilence(Instant since, Event event) {
        return endEpisode(
                MASS_SILENCE,
                since,
                event,
                state().remove(DeathQuotaStore.DEATH_MINUTE.name(), DeathQuotaStore.DEATHS.name()));
    }

    /**
     * Begins a mass restart with its event, now or right after the end of the previous mass restart. Returns {@code false} if another sweep
     * began it.
     */
    public boolean beginMassRestart(Instant now, Function<Instant, Event> event) {
        return beginEpisode(MASS_RESTART, now, event);
    }

    /** Ends a mass restart with its event. Returns {@code false} if another sweep ended it, or another mass restart has begun since. */
    public boolean endMassRestart(Instant since, Event event) {
        return endEpisode(MASS_RESTART, since, event, state());
    }

    /**
     * Stores that a clock stepped, with its event. Returns {@code false} if another sweep stored a step.
     *
     * @param seen the episode as it was read
     * @param at when the clock stepped: now, or a time by the clock before the step
     * @param event returns the event for its time of publication, which is after the events of earlier steps
     */
    public boolean clockStepped(ClockEpisode seen, Instant at, Instant now, Function<Instant, Event> event) {
        Instant ended = end(CLOCK).of(registry.get(ItemKind.SWEEP_STATE.key()));
        Instant earliest = (ended.isAfter(seen.since()) ? ended : seen.since()).plusMillis(1);
        Instant published = at.isBefore(earliest) ? earliest : at;
        Update update = state().set(CLOCK, published).set(CLOCK_EFFECTS, now).when(asSeen(CLOCK, seen.since()));
        return write(update, event.apply(published));
    }

    /** Stores that a step of the clock still has effects; does nothing if another step is stored since. */
    public void clockHasEffects(ClockEpisode seen, Instant now) {
        registry.update(state().set(CLOCK_EFFECTS, now).when(asSeen(CLOCK, seen.since())));
    }

    /** Ends the effects of steps with their event. Returns {@code false} if another sweep ended them, or another step is stored since. */
    public boolean endClockStepped(Instant since, Event event) {
        return endEpisode(CLOCK, since, event, state().remove(CLOCK_EFFECTS.name()));
    }

    /**
     * Stores the state without times that lie in the future. Returns {@code false} if another sweep has changed the state since.
     *
     * @param seen the state as it was read
     * @param bounded the state without these times
     */
    public boolean correct(SweepState seen, SweepState bounded) {
        Update update = state();
        correct(update, GRACE_PERIOD, seen.graceFrom(), bounded.graceFrom());
        correct(update, MARKED, seen.markedThrough(), bounded.markedThrough());
        ProbeEvidenceItem.correct(update, seen.probes(), bounded.probes());
        if (!bounded.daysThrough().equals(seen.daysThrough())) {
            // Each pass stores the value again with its start.
            update.remove(DAYS.name());
        }
        return registry.update(update);
    }

    private static void correct(Update update, Attribute<Instant> attribute, Instant seen, Instant bounded) {
        if (bounded.equals(seen)) {
            return;
        }
        update.when(attribute.is(seen));
        if (bounded.equals(Instant.MIN)) {
            update.remove(attribute.name());
        } else {
            update.set(attribute, bounded);
        }
    }

    private static Condition asSeen(Attribute<Instant> attribute, Instant seen) {
        return seen.equals(Instant.MIN) ? attribute.isAbsent() : attribute.is(seen);
    }

    /**
     * Adds results of probes. If they become inconclusive for the first owner, or conclusive for the last owner, the same transaction
     * publishes an event.
     *
     * @return the current evidence of the probes
     */
    public ProbeEvidence addProbes(Collection<ProbeSample.Result> found, Instant now) {
        return OptimisticUpdates.untilPresent(() -> {
            Map<String, AttributeValue> item = registry.get(ItemKind.SWEEP_STATE.key());
            ProbeEvidence before = ProbeEvidenceItem.read(item);
            ProbeEvidence after = before.with(found, now);
            Update update = state();
            ProbeEvidenceItem.set(update, item, after);
            return write(update, before, after) ? Optional.of(after) : Optional.empty();
        });
    }

    private boolean write(Update update, ProbeEvidence before, ProbeEvidence after) {
        if (before.isInconclusive() == after.isInconclusive()) {
            return registry.update(update);
        }
        return write(
                update,
                after.isInconclusive()
                        ? RegistryEvents.probesInconclusive(
                                after.inconclusivePart(after.sample()), after.inconclusiveSince())
                        : RegistryEvents.probesInconclusiveOver(
                                before.inconclusivePart(after.sample()),
                                before.inconclusiveSince(),
                                after.conclusiveFrom()));
    }

    /** Returns the moment before which no event is kept. */
    public Instant oldestEventAt(Instant now) {
        return now.minus(database.eventRetention());
    }

    /**
     * Begins an episode after the end of the previous one, which another server's clock may have stored: subscribers order both events by
     * their times.
     */
    private boolean beginEpisode(Attribute<Instant> attribute, Instant now, Function<Instant, Event> event) {
        Attribute<Instant> end = end(attribute);
        Instant earliest = end.of(registry.get(ItemKind.SWEEP_STATE.key())).plusMillis(1);
        Instant at = now.isBefore(earliest) ? earliest : now;
        Update update = state().set(attribute, at)
                .when(attribute.isAbsent())
                .when(end.isAbsent().or(end.isLessThan(at)));
        return write(update, event.apply(at));
    }

    /** Returns the attribute with the last end of an episode. */
    private static Attribute<Instant> end(Attribute<Instant> episode) {
        return new Attribute<>(episode.name() + EPISODE_END, SOME_TIME);
    }

    private boolean endEpisode(Attribute<Instant> attribute, Instant since, Event event, Update update) {
        update.remove(attribute.name()).set(end(attribute), event.at());
        return write(update.when(attribute.is(since)), event);
    }

    private boolean write(Update update, Event event) {
        return database.transaction()
                .update(registry, update)
                .put(registry, EventItem.of(event, database))
                .commit();
    }

    private static Update state() {
        return Update.upsert(ItemKind.SWEEP_STATE.key());
    }

    static SweepState read(Map<String, AttributeValue> item) {
        return new SweepState(
                GRACE_PERIOD.of(item),
                new SweepState.Episodes(
                        BLACKOUT.of(item), INCONCLUSIVE.of(item), MASS_SILENCE.of(item), MASS_RESTART.of(item)),
                FLEET.of(item),
                new SweepState.Passes(FIRST_STARTED.of(item), STARTED.of(item), MARKED.of(item), DAYS.of(item)),
                ProbeEvidenceItem.read(item),
                new ClockEpisode(CLOCK.of(item), CLOCK_EFFECTS.of(item)));
    }
}
