package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agenthealth.functions.sweep.FleetSegments.SegmentRange;
import dev.agenthealth.model.Counts;
import dev.agenthealth.model.health.containment.ContainmentCandidate;
import dev.agenthealth.model.health.containment.ContainmentReason;
import dev.agenthealth.model.health.statistics.AgentStatistics;
import dev.agenthealth.model.health.statistics.FleetStatistics;
import dev.agenthealth.model.health.statistics.GroupKind;
import dev.agenthealth.model.health.statistics.GroupStatistics;
import dev.agenthealth.model.health.statistics.Statistic;
import dev.agenthealth.model.sweep.FleetCount;
import dev.agenthealth.model.sweep.FleetCounter;
import dev.agenthealth.model.sweep.OwnerCounts;
import dev.agenthealth.model.sweep.PostponedDeaths;
import dev.agenthealth.model.sweep.ProbeTimeoutRule;
import dev.agenthealth.model.sweep.ProbeTimeoutRules;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.LongRange;

/** The messages between a sweep and its shards survive JSON serialization unchanged. */
@Tag("SYS-02")
class ShardMessagesPropertyTest {

    private static final JsonMapper MAPPER = new JsonMapper();

    @Property
    void requests_survive_serialization(
            @ForAll boolean act,
            @ForAll("ranges") SegmentRange range,
            @ForAll("moments") Instant graceFrom,
            @ForAll("moments") Instant now,
            @ForAll("marks") Instant markSince,
            @ForAll("orders") SweepDecision orders,
            @ForAll Set<@LongRange(min = 1) Long> roleNumbers,
            @ForAll boolean figures) {
        Inspection inspection = new Inspection(
                graceFrom,
                new ProbeTimeoutRules(
                        new ProbeTimeoutRule(markSince, figures),
                        Map.of(65_535, new ProbeTimeoutRule(graceFrom, !figures))),
                now,
                new Inspection.After(markSince, now, graceFrom, Duration.ofSeconds(figures ? 45 : 60)),
                roleNumbers,
                Duration.ofSeconds(figures ? 120 : 0),
                figures);
        ShardMessages.Request request = new ShardMessages.Request(act, range, inspection, orders);
        assertThat(ShardMessages.request(sent(ShardMessages.of(request)))).isEqualTo(request);
    }

    @Example
    void one_rule_for_all_watched_agents_is_read_from_a_message_of_the_version_before() {
        Inspection inspection = new Inspection(
                Instant.EPOCH,
                new ProbeTimeoutRules(new ProbeTimeoutRule(Instant.ofEpochSecond(60), true), Map.of()),
                Instant.EPOCH,
                new Inspection.After(Instant.EPOCH, Instant.EPOCH, Instant.EPOCH, Duration.ofSeconds(1)),
                Set.of(),
                Duration.ZERO,
                false);
        ShardMessages.Request request =
                new ShardMessages.Request(true, new SegmentRange(0, 1, 2), inspection, orders().sample());
        Map<String, Object> message = new HashMap<>(ShardMessages.of(request));
        message.remove("watched");
        message.remove("watched_of_owners");
        message.put("watched_grace_from", "1970-01-01T00:01:00Z");
        message.put("watched_large_fleet", true);
        assertThat(ShardMessages.request(sent(message))).isEqualTo(request);
    }

    @Property
    void readings_survive_serialization(
            @ForAll Map<FleetCounter, @LongRange(min = 0) Long> agents,
            @ForAll long due,
            @ForAll("freshest") Instant freshest,
            @ForAll double heartbeats,
            @ForAll Map<@LongRange(min = 1) Long, @LongRange(min = 1) Long> active,
            @ForAll("statistics") FleetStatistics statistics,
            @ForAll("numbers") Map<Long, Long> agentsOfOwners,
            @ForAll("numbers") Map<Long, Long> dyingOfOwners,
            @ForAll("numbers") Map<Long, Long> watchedOfOwners,
            @ForAll("numbers") Map<Long, Long> restartedOfOwners,
            @ForAll("numbers") Map<Long, Long> rowsOfOwners,
            @ForAll("candidates") ContainmentCandidates candidates) {
        FleetReading reading = new FleetReading(
                new FleetCount(new Counts<>(agents), freshest, heartbeats),
                due,
                new PoolCount(active),
                statistics,
                new OwnerCounts(agentsOfOwners, dyingOfOwners, watchedOfOwners, restartedOfOwners, rowsOfOwners),
                candidates);
        assertThat(ShardMessages.reading(sent(ShardMessages.of(reading)))).isEqualTo(reading);
    }

    @Property
    void counts_survive_serialization(
            @ForAll Map<Action, @LongRange(min = 0) Long> numbers, @ForAll @LongRange(min = 0) long maxLag) {
        ActionCounts counts = new ActionCounts(new Counts<>(numbers), maxLag);
        assertThat(ActionCounts.ofNames(sent(counts.byName()))).isEqualTo(counts);
    }

    @Provide
    Arbitrary<ContainmentCandidates> candidates() {
        Arbitrary<String> ids = Arbitraries.strings()
                .alpha()
                .numeric()
                .withChars("._:-")
                .ofMinLength(1)
                .ofMaxLength(64);
        Arbitrary<ContainmentCandidate> one = Combinators.combine(
                        ids,
                        ids,
                        Arbitraries.longs().between(0, 1L << 48),
                        Arbitraries.of(ContainmentReason.values()).set().ofMinSize(1))
                .as(ContainmentCandidate::new);
        return Combinators.combine(one.list().ofMaxSize(5), Arbitraries.of(true, false))
                .as(ContainmentCandidates::new);
    }

    @Provide
    Arbitrary<SegmentRange> ranges() {
        Arbitrary<Integer> number = Arbitraries.integers().between(0, 1_000_000);
        return Combinators.combine(number, number, number).as(SegmentRange::new);
    }

    @Provide
    Arbitrary<Instant> moments() {
        return Arbitraries.longs().between(0, 4_102_444_800_000L).map(Instant::ofEpochMilli);
    }

    @Provide
    Arbitrary<Instant> marks() {
        return Arbitraries.oneOf(moments(), Arbitraries.just(Inspection.NO_MARKS));
    }

    @Provide
    Arbitrary<FleetStatistics> statistics() {
        Arbitrary<AgentStatistics> figures = Arbitraries.maps(
                        Arbitraries.of(Statistic.class), Arbitraries.longs().greaterOrEqual(0))
                .map(numbers -> new AgentStatistics(new Counts<>(numbers)));
        Arbitrary<GroupStatistics> groups = Combinators.combine(
                        Arbitraries.maps(Arbitraries.longs().between(1, (1L << 48) - 1), figures)
                                .ofMaxSize(5),
                        figures)
                .as(GroupStatistics::new);
        return Combinators.combine(figures, groups, groups, groups)
                .as((fleet, roles, providers, platforms) -> new FleetStatistics(
                        fleet,
                        Map.of(GroupKind.ROLE, roles, GroupKind.PROVIDER, providers, GroupKind.PLATFORM, platforms)));
    }

    @Provide
    Arbitrary<Map<Long, Long>> numbers() {
        return Arbitraries.maps(
                        Arbitraries.longs().between(0, (1L << 48) - 1),
                        Arbitraries.longs().greaterOrEqual(0))
                .ofMaxSize(5);
    }

    @Provide
    Arbitrary<Instant> freshest() {
        return Arbitraries.oneOf(moments(), Arbitraries.just(Instant.MIN));
    }

    @Provide
    Arbitrary<SweepDecision> orders() {
        return Arbitraries.oneOf(
                Combinators.combine(Arbitraries.of(true, false), numbers(), marks())
                        .as((mayChange, shares, from) -> new SweepDecision(
                                        mayChange,
                                        DeathQuota.of(shares),
                                        new PostponedDeaths(from, shares.size()),
                                        mayChange)
                                .every(Duration.ofSeconds(shares.size()))),
                Arbitraries.of(SweepDecision.ALL, SweepDecision.HOUSEKEEPING_ONLY));
    }

    private static Map<String, Object> sent(Map<String, Object> message) {
        try {
            return MAPPER.readValue(MAPPER.writeValueAsBytes(message), new TypeReference<>() {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
