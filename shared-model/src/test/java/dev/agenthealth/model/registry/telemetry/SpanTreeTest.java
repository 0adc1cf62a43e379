package dev.agenthealth.model.registry.telemetry;

import static dev.agenthealth.model.registry.telemetry.Spans.key;
import static dev.agenthealth.model.registry.telemetry.Spans.span;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SpanTreeTest {

    @Test
    void of_nested_executions_of_one_agent_the_outermost_counts() {
        SpanTree tree = new SpanTree(List.of(span(3, 2), span(2, 1), span(1, 0), span(4, 1), span(5, 0)));
        assertThat(tree.outermost(Set.of(key(1), key(3), key(4), key(5)))).containsExactlyInAnyOrder(key(1), key(5));
        assertThat(tree.outermost(Set.of(key(3), key(4)))).containsExactlyInAnyOrder(key(3), key(4));
    }

    @Test
    void an_execution_whose_parent_did_not_arrive_counts() {
        SpanTree tree = new SpanTree(List.of(span(2, 1)));
        assertThat(tree.outermost(Set.of(key(2)))).containsExactly(key(2));
    }

    @Test
    void the_root_of_a_trace_contains_executions_whose_parents_were_left_out() {
        SpanTree tree = new SpanTree(List.of(span(1, 0), span(3, 2), span(5, 4)));
        assertThat(tree.outermost(Set.of(key(1), key(3), key(5)))).containsExactly(key(1));
        assertThat(tree.outermost(Set.of(key(3), key(5))))
                .as("the root is no execution of this agent: they may stand beside each other")
                .containsExactlyInAnyOrder(key(3), key(5));
        SpanTree ofTwoRoots = new SpanTree(List.of(span(1, 0), span(2, 0), span(5, 4)));
        assertThat(ofTwoRoots.outermost(Set.of(key(1), key(2), key(5))))
                .containsExactlyInAnyOrder(key(1), key(2), key(5));
    }

    @Test
    void circles_and_very_deep_traces_end() {
        SpanTree circle = new SpanTree(List.of(span(1, 2), span(2, 1), span(3, 3), span(4, 5), span(5, 5)));
        assertThat(circle.outermost(Set.of(key(1), key(3), key(4)))).containsExactlyInAnyOrder(key(1), key(3), key(4));
        List<Span> chain = new ArrayList<>();
        for (int i = 1; i <= 20_000; i++) {
            chain.add(span(i, i - 1));
        }
        assertThat(new SpanTree(chain).outermost(Set.of(key(1), key(2), key(20_000))))
                .containsExactly(key(1));
    }
}
