package dev.agenthealth.functions.storage.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.dynamodb.value.Sizes;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Counts;
import dev.agenthealth.model.health.statistics.AgentStatistics;
import dev.agenthealth.model.health.statistics.FleetStatistics;
import dev.agenthealth.model.health.statistics.GroupKind;
import dev.agenthealth.model.health.statistics.GroupStatistics;
import dev.agenthealth.model.health.statistics.Statistic;
import dev.agenthealth.model.sweep.SweepStatistics;
import dev.agenthealth.testkit.TestTables;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The item of the fleet's statistics. */
@Tag("AHM-08")
@Tag("AHS-18")
class StatisticsStoreTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final StatisticsStore store = new StatisticsStore(system.database());
    private final SweepStateStore states = new SweepStateStore(system.database());
    private final Instant now = system.clock().instant();

    @Test
    void before_the_first_census_there_are_no_figures() {
        assertThat(store.latest()).isEmpty();
        begin(SweepStateStore.Learnt.NOTHING);
        assertThat(store.latest()).isEmpty();
    }

    @Test
    void later_figures_are_not_replaced_by_earlier_ones() {
        assertThat(store.put(statistics(2), now)).isTrue();
        assertThat(store.put(statistics(1), now.minusMillis(1))).isFalse();
        assertThat(store.latest().orElseThrow().statistics()).isEqualTo(statistics(2));
        assertThat(store.latest().orElseThrow().asOf()).isEqualTo(now);
        assertThat(store.put(statistics(3), now)).isTrue();
        assertThat(store.put(FleetStatistics.EMPTY, now.plusSeconds(1))).isTrue();
        assertThat(store.latest().orElseThrow().statistics()).isEqualTo(FleetStatistics.EMPTY);
        assertThat(store.latest().orElseThrow().asOf()).isEqualTo(now.plusSeconds(1));
    }

    @Test
    void confirmed_figures_are_as_of_the_confirmation() {
        store.put(statistics(2), now);
        begin(SweepStateStore.Learnt.NOTHING);
        assertThat(store.latest().orElseThrow().asOf()).isEqualTo(now);
        begin(new SweepStateStore.Learnt(0, now.plusSeconds(30), Instant.MIN, SweepStatistics.NONE));
        assertThat(store.latest().orElseThrow().asOf()).isEqualTo(now.plusSeconds(30));
        begin(new SweepStateStore.Learnt(0, now.minusSeconds(30), Instant.MIN, SweepStatistics.NONE));
        assertThat(store.latest().orElseThrow().asOf()).isEqualTo(now);
    }

    @Test
    void the_largest_item_has_less_than_135_kilobytes() {
        Map<Statistic, Long> numbers = new EnumMap<>(Statistic.class);
        for (Statistic figure : Statistic.values()) {
            numbers.put(figure, figure == Statistic.SCORE_HUNDREDTHS ? 10_000_000_000L : 1_000_000L);
        }
        Map<Statistic, Long> ofRole = new EnumMap<>(numbers);
        Statistic.SCORE_STEPS.forEach(ofRole::remove);
        numbers.keySet().removeIf(figure -> figure.compareTo(Statistic.ACTIVE_CAPACITY) >= 0);
        AgentStatistics fleet = new AgentStatistics(new Counts<>(numbers));
        Statistic.SCORE_STEPS.forEach(numbers::remove);
        GroupStatistics roles = groups(ofRole);
        GroupStatistics others = groups(numbers);
        FleetStatistics statistics = new FleetStatistics(
                        fleet, Map.of(GroupKind.ROLE, roles, GroupKind.PROVIDER, others, GroupKind.PLATFORM, others))
                .largest(200);
        assertThat(store.put(statistics, now)).isTrue();
        assertThat(store.latest().orElseThrow().statistics()).isEqualTo(statistics);
        Map<String, AttributeValue> item = system.tables()
                .dynamoDb()
                .getItem(r -> r.tableName(TestTables.REGISTRY).key(ItemKind.FLEET_STATISTICS.key()))
                .item();
        assertThat(Sizes.item(item)).isLessThan(135_000);
    }

    private static GroupStatistics groups(Map<Statistic, Long> numbers) {
        AgentStatistics statistics = new AgentStatistics(new Counts<>(numbers));
        Map<Long, AgentStatistics> many = new HashMap<>();
        for (long i = 0; i < 10_000; i++) {
            many.put((1L << 48) - 1 - i, statistics);
        }
        return new GroupStatistics(many, AgentStatistics.NONE);
    }

    private void begin(SweepStateStore.Learnt learnt) {
        states.begin(system.clock().instant(), Duration.ofMinutes(2), learnt);
    }

    private static FleetStatistics statistics(long active) {
        return new FleetStatistics(new AgentStatistics(Counts.of(Statistic.ACTIVE, active)), Map.of());
    }
}
