package dev.agenthealth.functions.health.measurement;

import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.health.DueStore;
import dev.agenthealth.functions.storage.health.MeasurementInputs;
import dev.agenthealth.functions.storage.health.MeasurementStore;
import dev.agenthealth.functions.storage.outcomes.ReadSlices;
import dev.agenthealth.functions.storage.outcomes.SliceStore;
import dev.agenthealth.functions.storage.pulses.FleetScan;
import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.model.health.ClosedSlices;
import dev.agenthealth.model.health.HealthRule;
import dev.agenthealth.model.health.HealthRule.Lifecycle;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.health.RegistryHealth;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.Expectations;
import dev.agenthealth.model.window.MeasurementWindow;
import dev.agenthealth.model.window.Slice;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Computes the health of one agent and stores it. Thread-safe.
 *
 * <p>The last write settles the marks. If a computation stops before that, a later pass repeats it.
 */
final class HealthComputation {

    private final MeasurementStore measurements;
    private final AgentStore agents;
    private final FleetScan fleet;
    private final DueStore dueAgents;
    private final SliceStore slices;
    private final UsageJudgement usage;
    private final VersionJudgement versions;
    private final RegistryMonitor registry;
    private final Clock clock;

    HealthComputation(Database database, RegistryMonitor registry, Clock clock) {
        this.measurements = new MeasurementStore(database);
        this.agents = new AgentStore(database);
        this.fleet = new FleetScan(database);
        this.dueAgents = new DueStore(database);
        this.slices = new SliceStore(database);
        this.versions = new VersionJudgement(database, clock);
        this.usage = new UsageJudgement(database, versions, clock);
        this.registry = registry;
        this.clock = clock;
    }

    /**
     * Computes the current health of an agent.
     *
     * @param changed closed slices that changed, according to the index
     */
    MeasurementResult compute(String agentId, Set<Slice> changed) {
        MeasurementInputs inputs = measurements.read(agentId);
        Optional<MeasuredAgent> agent = agentId.equals(RegistryHealth.ID)
                ? Optional.of(registry.registry())
                : inputs.profile().flatMap(profile -> measured(profile, inputs.pulse()));
        if (agent.isEmpty()) {
            changed.forEach(slice ->
                    slices.settle(slices.read(agentId, slice, Expectations.NONE).changed()));
            boolean settled = measurements.settle(inputs, Instant.MAX);
            return settled || inputs.dueNumber() == 0 ? MeasurementResult.UNKNOWN : MeasurementResult.OVERTAKEN;
        }
        return compute(agent.get(), inputs, changed);
    }

    /** Begins a pass over due agents. */
    void beginPass() {
        usage.beginPass();
    }

    /** Compares the versions of the roles of computed agents, as in {@link VersionJudgement#judge}. */
    void compareVersions(boolean all, BooleanSupplier timeLeft) {
        versions.judge(all, timeLeft);
    }

    private MeasurementResult compute(MeasuredAgent agent, MeasurementInputs inputs, Set<Slice> changed) {
        String agentId = inputs.agentId();
        Instant now = clock.instant();
        MeasurementWindow window = agent.window();
        // A changed window restarts the measurement.
        Optional<ClosedSlices> stored =
                inputs.closed().filter(slices -> slices.window().equals(window));
        ClosedSlices closed = stored.map(slices -> slices.countedBy(agent.expectations()))
                .orElseGet(() -> ClosedSlices.none(window, agent.expectations(), now));
        ReadSlices read = read(agentId, changed, closed, agent.expectations());
        SortedMap<Slice, OutcomeCounts> counts = closed.with(read.counts(), now);
        ClosedSlices nextClosed = closed.next(counts, now);
        boolean readsMoreNextTime = nextClosed.from() < closed.from();
        if ((readsMoreNextTime
                        || !nextClosed
                                .slices()
                                .equals(stored.map(ClosedSlices::slices).orElseGet(TreeMap::new)))
                && !slices.putClosed(agentId, nextClosed, inputs.closedRevision())) {
            return MeasurementResult.OVERTAKEN;
        }
        Instant usageFalls = usage.judge(inputs, read);
        AgentHealth health = HealthRule.computed(
                agentId,
                agent.subject(),
                HealthRule.measurement(
                        agent.expectations(),
                        ClosedSlices.current(window, counts, now),
                        ClosedSlices.previous(window, counts, now),
                        agent.measuredFrom(),
                        now),
                agent.lifecycle(),
                inputs.health(),
                now);
        putHistory(inputs, health);
        boolean noted = inputs.pulse().isPresent() && putSummary(inputs.pulse().get(), inputs.summary(), health);
        MeasurementResult result =
                store(health, inputs, next -> earlier(usageFalls, next(next, inputs, window, counts)));
        if (noted && result == MeasurementResult.OVERTAKEN) {
            // The other computation may have stored a newer summary, which this older summary replaced.
            dueAgents.markDue(agentId);
        }
        if (result != MeasurementResult.OVERTAKEN) {
            slices.settle(read.changed());
        }
        return result;
    }

    /** Reads the slices that may have changed: all open slices, and the closed slices in {@code changed}. */
    private ReadSlices read(String agentId, Set<Slice> changed, ClosedSlices closed, Expectations expected) {
        ReadSlices read = slices.readFrom(agentId, closed.from(), expected);
        for (Slice slice : changed) {
            if (slice.start() < closed.from()) {
                read = read.plus(slices.read(agentId, slice, expected));
            }
        }
        return read;
    }

    private MeasurementResult store(AgentHealth health, MeasurementInputs inputs, Function<AgentHealth, Instant> next) {
        Optional<HealthPublication> publication = HealthPublication.due(health, inputs);
        if (publication.isEmpty()) {
            return measurements.put(health, inputs, next.apply(health))
                    ? MeasurementResult.COMPUTED
                    : MeasurementResult.OVERTAKEN;
        }
        AgentHealth after = publication.get().health();
        if (!measurements.publish(
                after, inputs, publication.get().counted(), publication.get().events())) {
            return MeasurementResult.OVERTAKEN;
        }
        measurements.settle(inputs, next.apply(after));
        return MeasurementResult.PUBLISHED;
    }

    /**
     * Writes the health summary to the agent's row, if it changed. Returns {@code false} if nothing was written, also if the row is gone or
     * belongs to another incarnation.
     */
    private boolean putSummary(Pulse pulse, HealthSummary before, AgentHealth health) {
        HealthStatus measured = health.measurement().status(LifecycleStatus.ACTIVE);
        int hundredths = health.score().active()
                ? health.score().points().movePointRight(2).intValueExact()
                : HealthSummary.INACTIVE;
        boolean lowQuality = health.measurement().isLowQuality();
        boolean changed =
                before.measured() != measured || before.hundredths() != hundredths || before.lowQuality() != lowQuality;
        return changed && fleet.putHealth(pulse.agentId(), pulse.incarnation(), measured, lowQuality, hundredths);
    }

    /** Returns when the health changes without an event: when a slice leaves the window, an hour begins, or an event is due. */
    private static Instant next(
            AgentHealth health,
            MeasurementInputs inputs,
            MeasurementWindow window,
            SortedMap<Slice, OutcomeCounts> slices) {
        Instant now = health.computedAt();
        Instant next = slices.keySet().stream()
                .map(slice -> window.leavesAt(slice, now))
                .min(Instant::compareTo)
                .orElse(Instant.MAX);
        if (health.score().active()) {
            next = earlier(next, hourOf(now).plus(Duration.ofHours(1)));
        }
        return earlier(next, HealthPublication.nextDue(health, inputs));
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /**
     * Stores a point of the history at the beginning of an hour, and at changes within it. An agent that only sends heartbeats has points
     * at its transitions.
     */
    private void putHistory(MeasurementInputs inputs, AgentHealth health) {
        Optional<AgentHealth> before = inputs.health();
        boolean hourBegins = before.map(earlier -> hourOf(earlier.computedAt()).isBefore(hourOf(health.computedAt())))
                .orElse(health.score().active());
        boolean changed = before.map(health::differsFrom)
                // Before its first computation, an agent is active and its health is unknown.
                .orElse(health.lifecycle() != LifecycleStatus.ACTIVE);
        if (hourBegins) {
            measurements.putHourOfHistory(health);
        } else if (changed) {
            measurements.putChangeOfHistory(health, inputs);
        }
    }

    private static Instant hourOf(Instant moment) {
        return moment.truncatedTo(ChronoUnit.HOURS);
    }

    private Optional<MeasuredAgent> measured(AgentProfile profile, Optional<Pulse> pulse) {
        return pulse.or(() -> agents.tombstone(profile.agentId()))
                .map(last -> new MeasuredAgent(
                        profile.basis().expectations(),
                        HealthRule.subject(profile),
                        new Lifecycle(last.status(), last.statusSince()),
                        profile.basis().window(),
                        profile.measuredFrom()));
    }
}
