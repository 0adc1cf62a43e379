package dev.agenthealth.functions.storage.pulses;

import static dev.agenthealth.model.registry.lifecycle.LifecycleReason.DEREGISTERED;
import static dev.agenthealth.model.registry.lifecycle.LifecycleReason.DRAIN_COMPLETED;
import static dev.agenthealth.model.registry.lifecycle.LifecycleReason.DRAIN_TIMEOUT;
import static dev.agenthealth.model.registry.lifecycle.LifecycleReason.HEARTBEAT_TIMEOUT;

import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.Activity;
import dev.agenthealth.model.registry.lifecycle.CleanUp;
import dev.agenthealth.model.registry.lifecycle.Coordination;
import dev.agenthealth.model.registry.lifecycle.Drain;
import dev.agenthealth.model.registry.lifecycle.EndedBy;
import dev.agenthealth.model.registry.lifecycle.FailedRun;
import dev.agenthealth.model.registry.lifecycle.FixedInterval;
import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.registry.lifecycle.HeartbeatsSeen;
import dev.agenthealth.model.registry.lifecycle.LastEnd;
import dev.agenthealth.model.registry.lifecycle.LifeSigns;
import dev.agenthealth.model.registry.lifecycle.LifecycleReason;
import dev.agenthealth.model.registry.lifecycle.LifecycleState;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.LoopConfig;
import dev.agenthealth.model.registry.lifecycle.PendingDrain;
import dev.agenthealth.model.registry.lifecycle.PersonWait;
import dev.agenthealth.model.registry.lifecycle.Phase;
import dev.agenthealth.model.registry.lifecycle.ProcessReport;
import dev.agenthealth.model.registry.lifecycle.PublishedFindings;
import dev.agenthealth.model.registry.lifecycle.PublishedLoop;
import dev.agenthealth.model.registry.lifecycle.PublishedStall;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.PulseNumbers;
import dev.agenthealth.model.registry.lifecycle.RegistrationTerms;
import dev.agenthealth.model.registry.lifecycle.Repetition;
import dev.agenthealth.model.registry.lifecycle.RunSchedule;
import dev.agenthealth.model.registry.lifecycle.SeenBy;
import dev.agenthealth.model.registry.lifecycle.SignOfLife;
import dev.agenthealth.model.registry.lifecycle.StallConfig;
import dev.agenthealth.model.registry.lifecycle.StallLevel;
import dev.agenthealth.model.registry.lifecycle.Workload;
import dev.agenthealth.model.registry.usage.OnExceeded;
import dev.agenthealth.model.registry.usage.PublishedUsage;
import dev.agenthealth.model.registry.usage.UsageLevel;
import dev.agenthealth.model.registry.usage.UsageLimit;
import dev.agenthealth.model.schedule.CronSchedule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Any pulse that may stand in the table, down to the longest one. */
public final class AnyPulse {

    /** A year with five digits, beyond any real clock. */
    private static final long LATEST = Instant.parse("+10000-01-01T00:00:00Z").toEpochMilli();

    private AnyPulse() {}

    /** Any pulse in one of these statuses. */
    static Arbitrary<Pulse> in(LifecycleStatus... statuses) {
        Arbitrary<long[]> counters = Arbitraries.longs()
                .between(1, Long.MAX_VALUE - 100)
                .array(long[].class)
                .ofSize(4);
        Arbitrary<Instant[]> moments = moment().array(Instant[].class).ofSize(4);
        Arbitrary<Long> incarnations =
                Arbitraries.oneOf(Arbitraries.just(0L), Arbitraries.longs().between(1, Long.MAX_VALUE));
        Arbitrary<CleanUp> cleanUp = Arbitraries.oneOf(
                Arbitraries.just(CleanUp.NONE),
                Combinators.combine(
                                Arbitraries.longs().between(1, Long.MAX_VALUE),
                                incarnations,
                                incarnations,
                                incarnations)
                        .as(CleanUp::new));
        return Combinators.combine(
                        ids(), Arbitraries.of(statuses), counters, moments, configs(), workloads(), owners(), drains())
                .flatAs((id, status, counter, moment, config, workload, owner, drain) -> Combinators.combine(
                                cleanUp, coordinations(), activities(), stalls(), Arbitraries.of(SeenBy.class), loops())
                        .as((leftOver, coordination, activity, stall, seenBy, loop) -> new Pulse(
                                id,
                                new PulseNumbers(counter[0], counter[1], counter[3]),
                                new LifecycleState(
                                        status,
                                        moment[0],
                                        drain,
                                        leftOver,
                                        counter[1] % 2 == 0,
                                        end(counter, moment[3])),
                                new HeartbeatsSeen(moment[1], counter[2], seenBy),
                                new RegistrationTerms(owner, config, coordination),
                                new ProcessReport(workload, activity, moment[3], wait(counter, moment[0])),
                                new PublishedFindings(
                                        moment[2],
                                        stall,
                                        counter[0] % 2 == 0,
                                        FailedRun.values()[Math.floorMod(counter[2], FailedRun.values().length)],
                                        counter[3] % 2 == 0 ? moment[1] : PublishedFindings.NO_WAIT,
                                        loop,
                                        usage(counter, moment[1])))));
    }

    private static PublishedUsage usage(long[] counter, Instant until) {
        return counter[2] % 3 == 0
                ? PublishedUsage.NONE
                : new PublishedUsage(
                        counter[0] % 2 == 0 ? UsageLevel.WARNING : UsageLevel.EXCEEDED,
                        UsageLimit.values()[(int) (counter[1] % UsageLimit.values().length)],
                        until,
                        OnExceeded.values()[(int) (counter[0] % OnExceeded.values().length)]);
    }

    private static PersonWait wait(long[] counter, Instant since) {
        return counter[1] % 3 == 0 ? PersonWait.NONE : new PersonWait((int) counter[1], since);
    }

    private static LastEnd end(long[] counter, Instant at) {
        List<LifecycleReason> reasons = List.of(DEREGISTERED, DRAIN_COMPLETED, DRAIN_TIMEOUT, HEARTBEAT_TIMEOUT);
        EndedBy[] by = EndedBy.values();
        return at.equals(Instant.EPOCH)
                ? LastEnd.NONE
                : new LastEnd(by[(int) (counter[3] % by.length)], reasons.get((int) (counter[0] % reasons.size())), at);
    }

    /** Any pulse that may be stored. */
    public static Arbitrary<Pulse> stored() {
        return in(
                LifecycleStatus.ACTIVE,
                LifecycleStatus.DRAINING,
                LifecycleStatus.UNHEALTHY,
                LifecycleStatus.DEAD,
                LifecycleStatus.DEREGISTERED);
    }

    /** Anything that may stand beside a pulse. */
    static Arbitrary<HealthSummary> healthSummaries() {
        Arbitrary<Long> numbers = Arbitraries.longs().between(GroupNumber.NONE, (1L << 48) - 1);
        return Combinators.combine(
                        Arbitraries.of(HealthStatus.class),
                        Arbitraries.integers().between(HealthSummary.INACTIVE, HealthSummary.MAX_HUNDREDTHS),
                        numbers,
                        numbers,
                        Arbitraries.oneOf(Arbitraries.just(Instant.EPOCH), moment()))
                .as(HealthSummary::new);
    }

    private static Arbitrary<Instant> moment() {
        return Arbitraries.longs().between(0, LATEST - 1).map(Instant::ofEpochMilli);
    }

    private static Arbitrary<String> ids() {
        return Arbitraries.strings()
                .withCharRange('a', 'z')
                .numeric()
                .withChars('.', '_', ':', '-')
                .ofMinLength(0)
                .ofMaxLength(63)
                .map(rest -> "A" + rest);
    }

    private static Arbitrary<HeartbeatConfig> configs() {
        return Combinators.combine(
                        Arbitraries.integers().between(1, HeartbeatConfig.MAX_INTERVAL_SECONDS),
                        Arbitraries.integers().between(2, HeartbeatConfig.MAX_THRESHOLD_SECONDS),
                        Arbitraries.integers().between(4, HeartbeatConfig.MAX_THRESHOLD_SECONDS),
                        stallConfigs(),
                        lifeSigns(),
                        loopConfigs())
                .as(HeartbeatConfig::new);
    }

    private static Arbitrary<StallConfig> stallConfigs() {
        return Combinators.combine(
                        Arbitraries.maps(
                                        Arbitraries.of(Phase.class),
                                        Arbitraries.integers().between(1, StallConfig.MAX_SECONDS))
                                .ofMaxSize(4),
                        Arbitraries.of(true, false),
                        Arbitraries.of(true, false))
                .as(StallConfig::new);
    }

    private static Arbitrary<Activity> activities() {
        return Arbitraries.oneOf(
                Combinators.combine(Arbitraries.just(Activity.NONE), repetitions())
                        .as(Activity::withRepetitionInSpans),
                Combinators.combine(Arbitraries.of(Phase.class), moment(), moment(), repetitions(), repetitions())
                        .as((phase, reportedAt, spanEndedAt, reported, inSpans) -> new Activity(
                                phase,
                                reportedAt,
                                spanEndedAt,
                                reported.isRepeated()
                                        ? new Repetition(reported.repeats(), reported.tool(), reportedAt, reportedAt)
                                        : reported,
                                inSpans)));
    }

    private static Arbitrary<String> tools() {
        return Arbitraries.strings().withCharRange('!', '~').ofMaxLength(Repetition.MAX_SHOWN);
    }

    private static Arbitrary<Repetition> repetitions() {
        return Arbitraries.oneOf(
                Arbitraries.just(Repetition.NONE),
                Combinators.combine(
                                Arbitraries.integers().between(1, Repetition.MAX_REPEATS), tools(), moment(), moment())
                        .as(Repetition::new));
    }

    private static Arbitrary<LoopConfig> loopConfigs() {
        return Arbitraries.oneOf(
                Arbitraries.just(LoopConfig.NONE),
                Combinators.combine(
                                Arbitraries.integers().between(LoopConfig.MIN_REPEATS, LoopConfig.MAX_REPEATS),
                                Arbitraries.of(true, false),
                                Arbitraries.of(true, false))
                        .as(LoopConfig::new));
    }

    private static Arbitrary<PublishedLoop> loops() {
        return Arbitraries.oneOf(
                Arbitraries.just(PublishedLoop.NONE),
                Combinators.combine(
                                Arbitraries.of(StallLevel.WARNING, StallLevel.ERROR),
                                Arbitraries.integers().between(1, Repetition.MAX_REPEATS),
                                tools(),
                                moment(),
                                Arbitraries.of(true, false),
                                Arbitraries.of(true, false))
                        .as(PublishedLoop::new));
    }

    private static Arbitrary<PublishedStall> stalls() {
        return Arbitraries.oneOf(
                Arbitraries.just(PublishedStall.NONE),
                Combinators.combine(
                                Arbitraries.of(StallLevel.WARNING, StallLevel.ERROR),
                                Arbitraries.of(Phase.class),
                                moment(),
                                Arbitraries.of(true, false),
                                Arbitraries.of(true, false))
                        .as(PublishedStall::new));
    }

    /** Any signs of life, down to the longest schedule. */
    static Arbitrary<LifeSigns> lifeSigns() {
        Arbitrary<Integer> grace = Arbitraries.integers().between(0, RunSchedule.MAX_GRACE_SECONDS);
        Arbitrary<RunSchedule> interval = Combinators.combine(
                        Arbitraries.integers().between(1, FixedInterval.MAX_SECONDS), grace)
                .as(FixedInterval::new);
        Arbitrary<RunSchedule> cron = Combinators.combine(
                        Arbitraries.of("0 2 * * *", "1".repeat(CronSchedule.MAX_CRON_LENGTH)),
                        Arbitraries.of("UTC", "America/Argentina/ComodRivadavia"),
                        grace)
                .as(CronSchedule::new);
        Arbitrary<LifeSigns> expected = Arbitraries.oneOf(
                Arbitraries.just(LifeSigns.HEARTBEATS),
                Arbitraries.just(new LifeSigns(LifeSigns.Mode.NONE, Optional.empty())),
                Arbitraries.oneOf(interval, cron)
                        .map(schedule -> new LifeSigns(LifeSigns.Mode.HEARTBEATS, Optional.of(schedule))),
                Arbitraries.of(Optional.<RunSchedule>empty(), Optional.<RunSchedule>of(new FixedInterval(60, 0)))
                        .map(schedule -> new LifeSigns(LifeSigns.Mode.HEARTBEATS, schedule, true)));
        return Combinators.combine(expected, Arbitraries.of(SignOfLife.class).set())
                .as((signs, others) -> new LifeSigns(signs.mode(), signs.schedule(), signs.confirmsDeath(), others));
    }

    private static Arbitrary<Workload> workloads() {
        return Combinators.combine(
                        Arbitraries.integers().between(Workload.NOT_REPORTED, 1_000_000),
                        Arbitraries.integers().between(Workload.NOT_DECLARED, 1_000_000),
                        Arbitraries.longs(),
                        Arbitraries.integers().between(0, 1_000),
                        Arbitraries.integers().between(Workload.NOT_REPORTED, 100))
                .as(Workload::new);
    }

    private static Arbitrary<Owner> owners() {
        Arbitrary<KeyHash> hashes = Arbitraries.bytes()
                .array(byte[].class)
                .ofSize(32)
                .map(KeyHash::ofBytes)
                .injectNull(0.2)
                .map(hash -> hash == null ? KeyHash.NONE : hash);
        Arbitrary<String> keyIds = Arbitraries.of(
                "",
                "administrator",
                "key_other",
                "key_01M7X2X9CSS27VNHCM604XS3JX",
                "key_01m7x2x9css27vnhcm604xs3jx",
                "person_0123456789abcdef0123",
                "person_0123456789ABCDEF0123",
                "person_",
                "workload_",
                "workload_team-billing");
        return Combinators.combine(keyIds, hashes).as(Owner::new);
    }

    private static Arbitrary<Integer> seconds() {
        return Arbitraries.integers().between(Drain.MIN_TIMEOUT_SECONDS, Drain.MAX_TIMEOUT_SECONDS);
    }

    private static Arbitrary<String> reasons() {
        return Arbitraries.strings().withCharRange('a', 'z').ofMinLength(0).ofMaxLength(PendingDrain.MAX_REASON);
    }

    private static Arbitrary<String> keyIds() {
        return Arbitraries.of("", "administrator", PendingDrain.REGISTRY, "key_01M7X2X9CSS27VNHCM604XS3JX");
    }

    private static Arbitrary<Coordination> coordinations() {
        Arbitrary<PendingDrain> pending = Combinators.combine(
                        reasons(), seconds(), keyIds(), Arbitraries.of(true, false))
                .as((reason, seconds, keyId, restarts) ->
                        new PendingDrain(reason, Duration.ofSeconds(seconds), keyId, restarts));
        return Combinators.combine(
                        Arbitraries.longs().between(Coordination.NO_ROLE, (1L << 48) - 1),
                        seconds().map(Duration::ofSeconds),
                        Arbitraries.oneOf(Arbitraries.just(PendingDrain.NONE), pending))
                .as((role, timeout, drain) -> new Coordination(role, timeout, drain, Instant.EPOCH));
    }

    private static Arbitrary<Drain> drains() {
        Arbitrary<Long> heartbeats = Arbitraries.longs().between(Drain.ASKED_BY_AGENT, Long.MAX_VALUE - 100);
        Arbitrary<Drain> underWay = Combinators.combine(moment(), seconds(), heartbeats, reasons(), keyIds())
                .as((deadline, seconds, before, reason, keyId) ->
                        new Drain(deadline, Duration.ofSeconds(seconds), before, reason, keyId));
        return Arbitraries.oneOf(Arbitraries.just(Drain.NONE), underWay);
    }
}
