package dev.agenthealth.functions.storage.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.dynamodb.value.Sizes;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Counts;
import dev.agenthealth.model.census.Census;
import dev.agenthealth.model.census.Figure;
import dev.agenthealth.model.census.FleetFigures;
import dev.agenthealth.model.census.GroupFigures;
import dev.agenthealth.model.census.GroupKind;
import dev.agenthealth.model.sweep.SweepFigures;
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

/** The item of the fleet's figures. */
@Tag("AHM-08")
@Tag("AHS-18")
class CensusStoreTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final CensusStore censuses = system.stores().census();
    private final SweepStateStore states = system.stores().sweepState();
    private final Instant now = system.clock().instant();

    @Test
    void before_the_first_census_there_are_no_figures() {
        assertThat(censuses.latest()).isEmpty();
        begin(SweepStateStore.Learnt.NOTHING);
        assertThat(censuses.latest()).isEmpty();
    }

    @Test
    void later_figures_are_not_replaced_by_earlier_ones() {
        assertThat(censuses.put(census(2), now)).isTrue();
        assertThat(censuses.put(census(1), now.minusMillis(1))).isFalse();
        assertThat(censuses.latest().orElseThrow().census()).isEqualTo(census(2));
        assertThat(censuses.latest().orElseThrow().asOf()).isEqualTo(now);
        assertThat(censuses.put(census(3), now)).isTrue();
        assertThat(censuses.put(Census.EMPTY, now.plusSeconds(1))).isTrue();
        assertThat(censuses.latest().orElseThrow().census()).isEqualTo(Census.EMPTY);
        assertThat(censuses.latest().orElseThrow().asOf()).isEqualTo(now.plusSeconds(1));
    }

    @Test
    void confirmed_figures_are_as_of_the_confirmation() {
        censuses.put(census(2), now);
        begin(SweepStateStore.Learnt.NOTHING);
        assertThat(censuses.latest().orElseThrow().asOf()).isEqualTo(now);
        begin(new SweepStateStore.Learnt(0, now.plusSeconds(30), SweepFigures.NONE));
        assertThat(censuses.latest().orElseThrow().asOf()).isEqualTo(now.plusSeconds(30));
        begin(new SweepStateStore.Learnt(0, now.minusSeconds(30), SweepFigures.NONE));
        assertThat(censuses.latest().orElseThrow().asOf()).isEqualTo(now);
    }

    @Test
    void the_largest_item_has_less_than_135_kilobytes() {
        Map<Figure, Long> numbers = new EnumMap<>(Figure.class);
        for (Figure figure : Figure.values()) {
            numbers.put(figure, figure == Figure.SCORE_HUNDREDTHS ? 10_000_000_000L : 1_000_000L);
        }
        Map<Figure, Long> ofRole = new EnumMap<>(numbers);
        Figure.SCORE_STEPS.forEach(ofRole::remove);
        numbers.keySet().removeIf(figure -> figure.compareTo(Figure.ACTIVE_CAPACITY) >= 0);
        FleetFigures fleet = new FleetFigures(new Counts<>(numbers));
        Figure.SCORE_STEPS.forEach(numbers::remove);
        GroupFigures roles = groups(ofRole);
        GroupFigures others = groups(numbers);
        Census census = new Census(
                        fleet, Map.of(GroupKind.ROLE, roles, GroupKind.PROVIDER, others, GroupKind.PLATFORM, others))
                .largest(200);
        assertThat(censuses.put(census, now)).isTrue();
        assertThat(censuses.latest().orElseThrow().census()).isEqualTo(census);
        Map<String, AttributeValue> item = system.tables()
                .dynamoDb()
                .getItem(r -> r.tableName(TestTables.REGISTRY).key(ItemKind.FLEET_FIGURES.key()))
                .item();
        assertThat(Sizes.item(item)).isLessThan(135_000);
    }

    private static GroupFigures groups(Map<Figure, Long> numbers) {
        FleetFigures figures = new FleetFigures(new Counts<>(numbers));
        Map<Long, FleetFigures> many = new HashMap<>();
        for (long i = 0; i < 10_000; i++) {
            many.put((1L << 48) - 1 - i, figures);
        }
        return new GroupFigures(many, FleetFigures.NONE);
    }

    private void begin(SweepStateStore.Learnt learnt) {
        states.begin(system.clock().instant(), Duration.ofMinutes(2), learnt);
    }

    private static Census census(long active) {
        return new Census(new FleetFigures(Counts.of(Figure.ACTIVE, active)), Map.of());
    }
}
