package dev.agenthealth.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class CountsTest {

    private enum Fruit implements WireNamed {
        APPLE,
        PEAR,
        PLUM
    }

    @Property
    void the_sum_has_the_sum_of_each_counter_in_any_grouping(
            @ForAll List<Map<Fruit, @LongRange(min = 0, max = 1_000) Long>> parts) {
        Counts<Fruit> left = Counts.none();
        Counts<Fruit> right = Counts.none();
        for (int i = 0; i < parts.size(); i++) {
            left = left.plus(new Counts<>(parts.get(i)));
            right = new Counts<>(parts.get(parts.size() - 1 - i)).plus(right);
        }
        assertThat(left).isEqualTo(right).hasSameHashCodeAs(right);
        for (Fruit fruit : Fruit.values()) {
            assertThat(left.get(fruit))
                    .isEqualTo(parts.stream()
                            .mapToLong(part -> part.getOrDefault(fruit, 0L))
                            .sum());
        }
        assertThat(left.isNone()).isEqualTo(parts.stream().allMatch(part -> part.values().stream()
                .allMatch(number -> number == 0)));
    }

    @Example
    void a_sum_that_is_too_large_for_a_long_is_the_largest_long() {
        Counts<Fruit> large = Counts.of(Fruit.PEAR, Long.MAX_VALUE - 1);
        assertThat(large.plus(Counts.of(Fruit.PEAR, 1)).get(Fruit.PEAR)).isEqualTo(Long.MAX_VALUE);
        assertThat(large.plus(Counts.of(Fruit.PEAR, 5)).get(Fruit.PEAR)).isEqualTo(Long.MAX_VALUE);
    }

    @Example
    void zeros_make_no_difference() {
        assertThat(Counts.of(Fruit.PLUM, 0)).isEqualTo(Counts.none());
        assertThat(new Counts<>(Map.of(Fruit.APPLE, 2L, Fruit.PEAR, 0L))).isEqualTo(Counts.of(Fruit.APPLE, 2));
    }

    @Example
    void counts_do_not_change_with_the_map_they_are_made_of() {
        Map<Fruit, Long> numbers = new EnumMap<>(Map.of(Fruit.APPLE, 2L));
        Counts<Fruit> counts = new Counts<>(numbers);
        numbers.put(Fruit.APPLE, 3L);
        assertThat(counts.get(Fruit.APPLE)).isEqualTo(2);
        assertThatThrownBy(() -> counts.numbers().put(Fruit.APPLE, 3L))
                .isInstanceOf(UnsupportedOperationException.class);
        Map<Fruit, Long> all = new EnumMap<>(Fruit.class);
        Arrays.stream(Fruit.values()).forEach(fruit -> all.put(fruit, 1L));
        assertThat(new Counts<>(all).numbers().keySet()).containsExactly(Fruit.values());
    }

    @Example
    void counts_have_their_wire_names() {
        Counts<Fruit> counts = Counts.ofNames(Fruit.class, Map.of("pear", 3, "plum", "2", "fig", 4L));
        assertThat(counts).isEqualTo(Counts.of(Fruit.PEAR, 3));
        assertThat(Counts.byName(Fruit.class, counts))
                .containsExactly(Map.entry("apple", 0L), Map.entry("pear", 3L), Map.entry("plum", 0L));
    }
}
