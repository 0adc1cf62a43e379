package dev.agenthealth.functions.registry.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;

/** Equality of task lists by their hashes. */
@Tag("R16-10")
class TaskListHashTest {

    @Property
    void order_does_not_matter(
            @ForAll @Size(max = 20) List<@AlphaChars @StringLength(min = 1, max = 8) String> tasks, @ForAll long seed) {
        List<String> shuffled = new ArrayList<>(tasks);
        Collections.shuffle(shuffled, new Random(seed));
        assertThat(TaskListHash.of(shuffled)).isEqualTo(TaskListHash.of(tasks));
    }

    @Property
    void an_additional_task_changes_the_hash(
            @ForAll @Size(max = 20) List<@AlphaChars @StringLength(min = 1, max = 8) String> tasks,
            @ForAll @AlphaChars @StringLength(min = 1, max = 8) String more) {
        List<String> longer = new ArrayList<>(tasks);
        longer.add(more);
        assertThat(TaskListHash.of(longer)).isNotEqualTo(TaskListHash.of(tasks));
    }

    @Example
    void the_boundaries_between_ids_matter() {
        assertThat(TaskListHash.of(List.of("ab", "c"))).isNotEqualTo(TaskListHash.of(List.of("a", "bc")));
        assertThat(TaskListHash.of(List.of("abc"))).isNotEqualTo(TaskListHash.of(List.of("ab", "c")));
    }

    @Example
    void only_the_empty_list_has_the_hash_zero() {
        assertThat(TaskListHash.of(List.of())).isEqualTo(TaskListHash.OF_NONE).isZero();
        assertThat(TaskListHash.of(List.of("t"))).isNotZero();
    }
}
