package dev.agenthealth.model.registry.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.registry.usage.ModelName;
import dev.agenthealth.model.registry.usage.Usage;
import dev.agenthealth.model.registry.usage.UsageCounter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class OpenExecutionsTest {

    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

    private OpenExecutions open = OpenExecutions.NONE;

    private static SpanKey key(int number) {
        return new SpanKey(TRACE, String.format("%016x", number));
    }

    private static Span span(int number, int parent) {
        return new Span(
                key(number),
                parent == 0 ? "" : key(parent).spanId(),
                "",
                "",
                1,
                2,
                Span.STATUS_UNSET,
                Map.of(),
                Map.of());
    }

    private static Usage tokens(long number) {
        return Usage.of(
                new ModelName("m", "p"), Map.of(UsageCounter.INPUT_TOKENS, number, UsageCounter.MODEL_CALLS, 1L));
    }

    private static ExecutionParents request(Set<SpanKey> executions, Span... spans) {
        return new ExecutionParents(new SpanTree(List.of(spans)), executions);
    }

    private void add(Map<SpanKey, Usage> calls, ExecutionParents parents) {
        open = open.plus(calls, parents);
    }

    private List<Long> tokens() {
        return open.sums().stream().map(sum -> sum.usage().tokens(true)).toList();
    }

    @Test
    void calls_of_several_requests_add_up_until_the_execution_arrives_and_after_it() {
        add(Map.of(key(1), tokens(10)), ExecutionParents.NONE);
        add(Map.of(key(1), tokens(20)), ExecutionParents.NONE);
        add(Map.of(key(1), tokens(30)), request(Set.of(key(1)), span(1, 0)));
        assertThat(tokens()).containsExactly(60L);
        assertThat(open.sums().get(0).ended()).isTrue();
        add(Map.of(key(1), tokens(1)), ExecutionParents.NONE);
        assertThat(tokens()).containsExactly(61L);
        assertThat(open.sums().get(0).usage().total().get(UsageCounter.MODEL_CALLS))
                .isEqualTo(4);
    }

    @Test
    void calls_below_other_spans_move_to_the_execution_when_these_spans_arrive() {
        add(Map.of(key(11), tokens(10), key(12), tokens(20)), ExecutionParents.NONE);
        assertThat(tokens()).containsExactlyInAnyOrder(10L, 20L);
        add(Map.of(), request(Set.of(), span(11, 5), span(12, 6), span(6, 5)));
        assertThat(tokens()).containsExactly(30L);
        assertThat(open.sums().get(0).span()).isEqualTo(key(5));
    }

    @Test
    void executions_within_one_trace_have_sums_of_their_own() {
        ExecutionParents both = request(Set.of(key(1), key(2)), span(1, 9), span(2, 9), span(9, 0));
        add(Map.of(key(1), tokens(10), key(2), tokens(20)), both);
        assertThat(tokens()).containsExactlyInAnyOrder(10L, 20L);
    }

    @Test
    void a_span_that_arrives_again_changes_nothing() {
        ExecutionParents inner = request(Set.of(), span(11, 5));
        add(Map.of(key(11), tokens(10)), inner);
        OpenExecutions before = open;
        add(Map.of(), inner);
        assertThat(open).isEqualTo(before);
        assertThat(open.changedSince(before)).isEmpty();
    }

    @Test
    void only_changed_sums_are_judged_again() {
        add(Map.of(key(1), tokens(10), key(2), tokens(20)), ExecutionParents.NONE);
        OpenExecutions before = open;
        add(Map.of(key(1), tokens(1)), ExecutionParents.NONE);
        assertThat(open.changedSince(before))
                .extracting(OpenExecutions.Sum::span)
                .containsExactly(key(1));
    }

    @Test
    void an_ended_execution_makes_room_before_an_older_one_that_goes_on() {
        add(Map.of(key(1), tokens(10)), ExecutionParents.NONE);
        for (int i = 2; i <= OpenExecutions.MAX; i++) {
            add(Map.of(key(i), tokens(i)), i == 7 ? request(Set.of(key(7)), span(7, 0)) : ExecutionParents.NONE);
        }
        add(Map.of(key(100), tokens(100)), ExecutionParents.NONE);
        assertThat(spans())
                .hasSize(OpenExecutions.MAX)
                .contains(key(1), key(100))
                .doesNotContain(key(7));
        add(Map.of(key(101), tokens(101)), ExecutionParents.NONE);
        assertThat(spans()).hasSize(OpenExecutions.MAX).doesNotContain(key(1));
    }

    private List<SpanKey> spans() {
        return open.sums().stream().map(OpenExecutions.Sum::span).toList();
    }

    @Test
    void parents_in_a_circle_end() {
        add(Map.of(key(1), tokens(10)), request(Set.of(), span(1, 2), span(2, 1)));
        assertThat(tokens()).containsExactly(10L);
    }

    @Test
    void an_id_of_a_parent_that_is_not_valid_stands_for_no_span() {
        Span inner = new Span(key(11), "5\n 5", "", "", 1, 2, Span.STATUS_UNSET, Map.of(), Map.of());
        add(Map.of(key(11), tokens(10)), request(Set.of(), inner));
        assertThat(spans()).containsExactly(key(11));
        assertThat(inner.parent()).isEmpty();
        assertThat(span(11, 5).parent()).contains(key(5));
        assertThat(span(11, 0).parent()).isEmpty();
    }

    @Test
    void calls_of_tools_count_for_no_limit_of_an_execution() {
        assertThat(Stream.of(Usage.of(ModelName.UNKNOWN, Map.of(UsageCounter.TOOL_CALLS, 1L)), tokens(1))
                        .map(OpenExecutions::counts))
                .containsExactly(false, true);
    }
}
