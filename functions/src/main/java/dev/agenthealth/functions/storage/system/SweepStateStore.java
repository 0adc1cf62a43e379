package dev.agenthealth.functions.storage.system;

import static dev.agenthealth.functions.storage.dynamo.Condition.absent;
import static dev.agenthealth.functions.storage.dynamo.Condition.atLeast;
import static dev.agenthealth.functions.storage.dynamo.Condition.atMost;
import static dev.agenthealth.functions.storage.dynamo.Condition.equal;
import static dev.agenthealth.functions.storage.dynamo.Condition.lessThan;
import static dev.agenthealth.functions.storage.dynamo.Condition.moreThan;
import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.number;

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
import dev.agenthealth.model.sweep.FairShareRule;
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

    private static final String FIRST_STARTED = "first_started";
    private static final String STARTED = "started";
    private static final String GRACE_PERIOD = "grace";
    private static final String BLACKOUT = "blackout";
    private static final String INCONCLUSIVE = "inconclusive";
    private static final String MASS_SILENCE = "mass_silence";
    private static final String MASS_RESTART = "mass_restart";
    private static final String CLOCK = "clock";
    private static final String CLOCK_EFFECTS = "clock_effects";
    private static final String FLEET = "fleet";
    private static final String STATISTICS_CONFIRMED = "statistics_at";
    private static final String MARKED = "marked";
    private static final String DAYS = "days";
    private static final String HEARD = "heard";
    private static final String DETECTION_LAG = "lag";
    private static final String DEATH_MINUTE = "death_minute";
    private static final String DEATHS = "deaths";
    private static final String DEATH_CURSOR = "death_cursor";

    /** The suffix of the attribute with the last end of an episode. */
    private static final String EPISODE_END = "_end";

    /** The number of minutes by which the minute of another sweep may be ahead. A minute further in the future is a mistake and is replaced. */
    private static final long MAX_MINUTES_AHEAD = 2;

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
     * <p>If no pass started for longer than {@code maxPause}, the same write begins a grace period for all silence up to now. The grace
     * period is not lost if the pass ends right after the write. The first pass ever begins none, because no outage precedes it.
     *
     * @param learnt is stored in the same write
     * @return the state for this pass
     */
    public SweepState begin(Instant now, Duration maxPause, Learnt learnt) {
        return begin(now, now.minus(maxPause), lessThan(STARTED, moment(now.minus(maxPause))), learnt);
    }

    /**
     * Stores that a pass starts after a pass that could not be stored. The grace period begins however recently the previous pass started,
     * if there was one.
     *
     * @see #begin
     */
    public SweepState beginAfterFailure(Instant now, Learnt learnt) {
        return begin(now, now, absent(STARTED).or(lessThan(STARTED, moment(now))), learnt);
    }

    private SweepState begin(Instant now, Instant earliestStart, Condition gap, Learnt learnt) {
        AttributeValue earliest = moment(earliestStart);
        Condition afterGap = gap.and(absent(GRACE_PERIOD).or(lessThan(GRACE_PERIOD, moment(now))));
        return start(now, learnt, state().when(atLeast(STARTED, earliest)))
                .or(() -> start(
                                now,
                                learnt,
                                state().set(GRACE_PERIOD, moment(now)).when(afterGap))
                        .map(state -> state.withGraceFrom(now)))
                // It is the first pass ever, another sweep started at the same time, or the grace period already ends
                // later.
                .or(() -> start(now, learnt, state()))
                .orElseThrow(() -> new IllegalStateException("an unconditional write was refused"));
    }

    /** Returns the previous state; empty if the condition does not hold. */
    private Optional<SweepState> start(Instant now, Learnt learnt, Update update) {
        update.set(STARTED, moment(now)).setIfAbsent(FIRST_STARTED, moment(now));
        if (learnt.fleetSize() > 0) {
            update.set(FLEET, n(learnt.fleetSize()));
        }
        if (learnt.statisticsConfirmedAt().isAfter(Instant.MIN)) {
            update.set(STATISTICS_CONFIRMED, moment(learnt.statisticsConfirmedAt()));
        }
        if (learnt.daysThrough().isAfter(Instant.MIN)) {
            update.set(DAYS, moment(learnt.daysThrough()));
        }
        learnt.statistics().heard().ifPresent(heard -> update.set(HEARD, n(heard)));
        if (!learnt.statistics().detectionLag().isZero()) {
            update.set(DETECTION_LAG, n(learnt.statistics().detectionLag().toMillis()));
        }
        for (SweepEvent event : SweepEvent.values()) {
            if (learnt.statistics().events().get(event) > 0) {
                update.add(attribute(event), n(learnt.statistics().events().get(event)));
            }
        }
        return registry.updateAndGetPrevious(update).map(SweepStateStore::read);
    }

    /** Stores that a long pass is still running, so that its end is not followed by a gap; does nothing if a pass started since. */
    public void stillSweeping(Instant now) {
        registry.update(state().set(STARTED, moment(now)).when(lessThan(STARTED, moment(now))));
    }

    /** Stores that every agent whose status changed up to the start of a pass is marked; does nothing if a later pass stored the same. */
    public void markedThrough(Instant passStart) {
        registry.update(
                state().set(MARKED, moment(passStart)).when(absent(MARKED).or(lessThan(MARKED, moment(passStart)))));
    }

    /** Returns when the stored statistics of the fleet were last confirmed, by the state's item. */
    static Instant statisticsConfirmedAt(Map<String, AttributeValue> item) {
        return moment(item, STATISTICS_CONFIRMED, Instant.MIN);
    }

    /** Returns the findings and actions of passes, by the state's item. */
    static SweepStatistics statistics(Map<String, AttributeValue> item) {
        Map<SweepEvent, Long> events = new EnumMap<>(SweepEvent.class);
        for (SweepEvent event : SweepEvent.values()) {
            events.put(event, number(item, attribute(event), 0));
        }
        return new SweepStatistics(
                item.containsKey(HEARD) ? OptionalLong.of(number(item, HEARD, 0)) : OptionalLong.empty(),
                Duration.ofMillis(number(item, DETECTION_LAG, 0)),
                new Counts<>(events));
    }

    private static String attribute(SweepEvent event) {
        return "n_" + event.wireName();
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
        Condition shorter = absent(GRACE_PERIOD).or(atMost(GRACE_PERIOD, moment(now)));
        return endBlackout(since, event, state().set(GRACE_PERIOD, moment(now)).when(shorter))
                || endBlackout(since, event, state().when(moreThan(GRACE_PERIOD, moment(now))));
    }

    private boolean endBlackout(Instant since, Event event, Update update) {
        return endEpisode(BLACKOUT, since, event, update);
    }

    /** Stores that results of the self-check are inconclusive since now; does nothing if another sweep stored it. */
    public void beginInconclusive(Instant now) {
        registry.update(state().set(INCONCLUSIVE, moment(now)).when(absent(INCONCLUSIVE)));
    }

    /** Stores that the last result is not inconclusive; does nothing if another sweep stored an inconclusive result since. */
    public void endInconclusive(Instant since) {
        registry.update(state().remove(INCONCLUSIVE).when(equal(INCONCLUSIVE, moment(since))));
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
        return endEpisode(MASS_SILENCE, since, event, state().remove(DEATH_MINUTE, DEATHS));
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
        Instant ended = moment(registry.get(ItemKind.SWEEP_STATE.key()), CLOCK + EPISODE_END, Instant.MIN);
        Instant earliest = (ended.isAfter(seen.since()) ? ended : seen.since()).plusMillis(1);
        Instant published = at.isBefore(earliest) ? earliest : at;
        Update update = state().set(CLOCK, moment(published))
                .set(CLOCK_EFFECTS, moment(now))
                .when(asSeen(CLOCK, seen.since()));
        return write(update, event.apply(published));
    }

    /** Stores that a step of the clock still has effects; does nothing if another step is stored since. */
    public void clockHasEffects(ClockEpisode seen, Instant now) {
        registry.update(state().set(CLOCK_EFFECTS, moment(now)).when(asSeen(CLOCK, seen.since())));
    }

    /** Ends the effects of steps with their event. Returns {@code false} if another sweep ended them, or another step is stored since. */
    public boolean endClockStepped(Instant since, Event event) {
        return endEpisode(CLOCK, since, event, state().remove(CLOCK_EFFECTS));
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
            update.remove(DAYS);
        }
        return registry.update(update);
    }

    private static void correct(Update update, String attribute, Instant seen, Instant bounded) {
        if (bounded.equals(seen)) {
            return;
        }
        update.when(equal(attribute, moment(seen)));
        if (bounded.equals(Instant.MIN)) {
            update.remove(attribute);
        } else {
            update.set(attribute, moment(bounded));
        }
    }

    private static Condition asSeen(String attribute, Instant seen) {
        return seen.equals(Instant.MIN) ? absent(attribute) : equal(attribute, moment(seen));
    }

    /**
     * Takes up to {@code wanted} deaths from the allowed number of this minute, which all sweeps of the minute share. {@link FairShareRule}
     * shares the remaining number among the owners.
     *
     * @param wanted deaths by owner
     * @return the number of deaths that each owner gets, possibly 0
     */
    public Map<Long, Long> takeDeaths(Instant now, Map<Long, Long> wanted, long allowedPerMinute) {
        long all = wanted.values().stream().mapToLong(Long::longValue).sum();
        long minute = Math.floorDiv(now.getEpochSecond(), 60L);
        return OptimisticUpdates.untilPresent(() -> {
            Map<String, AttributeValue> item = registry.get(ItemKind.SWEEP_STATE.key());
            long seenMinute = number(item, DEATH_MINUTE, -1);
            long seenDeaths = number(item, DEATHS, 0);
            // A sweep that began before another sweep counts in the other's minute, not in an older minute.
            boolean isOpen = seenMinute >= minute && seenMinute <= minute + MAX_MINUTES_AHEAD;
            long used = isOpen ? seenDeaths : 0;
            long granted = Math.max(0, Math.min(all, allowedPerMinute - used));
            FairShareRule.Shares shares = FairShareRule.share(granted, wanted, number(item, DEATH_CURSOR, 0));
            Update update = state().set(DEATH_MINUTE, n(isOpen ? seenMinute : minute))
                    .set(DEATHS, n(used + granted))
                    .set(DEATH_CURSOR, n(shares.cursor()))
                    .when(
                            item.containsKey(DEATH_MINUTE)
                                    ? equal(DEATH_MINUTE, n(seenMinute)).and(equal(DEATHS, n(seenDeaths)))
                                    : absent(DEATH_MINUTE));
            return granted == 0 || registry.update(update) ? Optional.of(shares.byOwner()) : Optional.empty();
        });
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
            ProbeEvidence after = before.with(before.sample().with(found, now), now);
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
    private boolean beginEpisode(String attribute, Instant now, Function<Instant, Event> event) {
        String end = attribute + EPISODE_END;
        Instant earliest = moment(registry.get(ItemKind.SWEEP_STATE.key()), end, Instant.MIN)
                .plusMillis(1);
        Instant at = now.isBefore(earliest) ? earliest : now;
        Update update = state().set(attribute, moment(at))
                .when(absent(attribute))
                .when(absent(end).or(lessThan(end, moment(at))));
        return write(update, event.apply(at));
    }

    private boolean endEpisode(String attribute, Instant since, Event event, Update update) {
        update.remove(attribute).set(attribute + EPISODE_END, moment(event.at()));
        return write(update.when(equal(attribute, moment(since))), event);
    }

    private boolean write(Update update, Event event) {
        return database.transaction()
                .update(registry, update)
                .put(registry, EventItem.of(event, database.now(), database.eventRetention()))
                .commit();
    }

    private static Update state() {
        return Update.upsert(ItemKind.SWEEP_STATE.key());
    }

    static SweepState read(Map<String, AttributeValue> item) {
        return new SweepState(
                moment(item, GRACE_PERIOD, Instant.EPOCH),
                moment(item, BLACKOUT, Instant.MIN),
                moment(item, INCONCLUSIVE, Instant.MIN),
                moment(item, MASS_SILENCE, Instant.MIN),
                moment(item, MASS_RESTART, Instant.MIN),
                number(item, FLEET, 0),
                moment(item, FIRST_STARTED, Instant.MIN),
                moment(item, STARTED, Instant.MIN),
                moment(item, MARKED, Instant.MIN),
                moment(item, DAYS, Instant.MIN),
                ProbeEvidenceItem.read(item),
                new ClockEpisode(moment(item, CLOCK, Instant.MIN), moment(item, CLOCK_EFFECTS, Instant.MIN)));
    }
}
