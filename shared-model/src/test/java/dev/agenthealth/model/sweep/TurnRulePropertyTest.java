package dev.agenthealth.model.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

@Tag("SYS-02")
class TurnRulePropertyTest {

    /** An item of an owner, with its place among the items. */
    private record Item(long owner, int place) {}

    @Example
    void owners_take_turns() {
        assertThat(TurnRule.inTurns(List.of("a1", "a2", "a3", "b1", "c1", "c2"), text -> text.charAt(0)))
                .containsExactly("a1", "b1", "c1", "a2", "c2", "a3");
    }

    @Example
    void the_items_of_one_owner_keep_their_order() {
        assertThat(TurnRule.inTurns(List.of(3, 1, 2), number -> 7)).containsExactly(3, 1, 2);
    }

    @Example
    void the_last_items_of_an_owner_beyond_its_share_are_left_out() {
        assertThat(TurnRule.inTurns(List.of("a1", "a2", "a3", "b1", "c1", "c2"), text -> text.charAt(0), 2))
                .containsExactly("a1", "b1", "c1", "a2", "c2");
    }

    @Property
    void wherever_the_work_stops_no_owner_is_more_than_one_item_ahead_of_one_that_waits(
            @ForAll @Size(max = 60) List<@LongRange(min = 0, max = 5) Long> owners, @ForAll int stop) {
        List<Item> items = new ArrayList<>();
        owners.forEach(owner -> items.add(new Item(owner, items.size())));
        List<Item> inTurns = TurnRule.inTurns(items, Item::owner);
        assertThat(inTurns).containsExactlyInAnyOrderElementsOf(items);
        int done = Math.floorMod(stop, inTurns.size() + 1);
        Map<Long, Long> handled = counts(inTurns.subList(0, done));
        Map<Long, Long> waiting = counts(inTurns.subList(done, inTurns.size()));
        long most = handled.values().stream().mapToLong(Long::longValue).max().orElse(0);
        waiting.keySet()
                .forEach(owner -> assertThat(handled.getOrDefault(owner, 0L)).isGreaterThanOrEqualTo(most - 1));
        owners.stream().distinct().forEach(owner -> assertThat(inTurns.stream()
                        .filter(item -> item.owner() == owner)
                        .map(Item::place)
                        .toList())
                .isSorted());
    }

    private static Map<Long, Long> counts(List<Item> items) {
        Map<Long, Long> counts = new HashMap<>();
        items.forEach(item -> counts.merge(item.owner(), 1L, Long::sum));
        return counts;
    }
}
