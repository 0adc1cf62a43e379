package dev.agenthealth.functions.heartbeat;

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

/** When two lists of task ids count as the same. */
@Tag("R16-10")
class TaskDigestTest {

    @Property(tries = 200)
    void order_does_not_matter(
            @ForAll @Size(max = 20) List<@AlphaChars @StringLength(min = 1, max = 8) String> tasks, @ForAll long seed) {
        List<String> shuffled = new ArrayList<>(tasks);
        Collections.shuffle(shuffled, new Random(seed));
        assertThat(TaskDigest.of(shuffled)).isEqualTo(TaskDigest.of(tasks));
    }

    @Property(tries = 200)
    void a_task_more_is_another_list(
            @ForAll @Size(max = 20) List<@AlphaChars @StringLength(min = 1, max = 8) String> tasks,
            @ForAll @AlphaChars @StringLength(min = 1, max = 8) String more) {
        List<String> longer = new ArrayList<>(tasks);
        longer.add(more);
        assertThat(TaskDigest.of(longer)).isNotEqualTo(TaskDigest.of(tasks));
    }

    @Example
    void where_one_id_ends_and_the_next_begins_matters() {
        assertThat(TaskDigest.of(List.of("ab", "c"))).isNotEqualTo(TaskDigest.of(List.of("a", "bc")));
        assertThat(TaskDigest.of(List.of("abc"))).isNotEqualTo(TaskDigest.of(List.of("ab", "c")));
    }

    @Example
    void nothing_is_zero_and_a_task_is_not() {
        assertThat(TaskDigest.of(List.of())).isEqualTo(TaskDigest.OF_NONE).isZero();
        assertThat(TaskDigest.of(List.of("t"))).isNotZero();
    }
}
