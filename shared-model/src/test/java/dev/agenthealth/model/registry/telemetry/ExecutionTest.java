package dev.agenthealth.model.registry.telemetry;

import static dev.agenthealth.model.registry.telemetry.Spans.START;
import static dev.agenthealth.model.registry.telemetry.Spans.span;
import static dev.agenthealth.model.registry.telemetry.Spans.timed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.registry.outcome.ErrorType;
import dev.agenthealth.model.registry.outcome.Outcome;
import dev.agenthealth.model.registry.outcome.OutcomeResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExecutionTest {

    private static final long SECOND = 1_000_000_000;

    @Test
    void an_execution_is_an_outcome_of_the_time_at_which_its_span_ended() {
        Outcome outcome = execution(agent()).outcome();
        assertThat(outcome.result()).isEqualTo(OutcomeResult.SUCCESS);
        assertThat(outcome.latencyMs()).isEqualTo(250);
        assertThat(outcome.occurredAt()).isEqualTo(Instant.ofEpochSecond(1_770_000_000L, 250_000_000));
    }

    @ParameterizedTest
    @CsvSource({
        "0, '', SUCCESS",
        "0, timeout, FAILURE",
        "1, timeout, SUCCESS",
        "2, '', FAILURE",
        "2, _OTHER, FAILURE",
        "9, '', SUCCESS"
    })
    void an_execution_failed_where_its_status_is_an_error_or_an_error_type_has_no_status(
            int status, String errorType, OutcomeResult result) {
        Span span = agent(SpanAttribute.ERROR_TYPE, errorType);
        assertThat(execution(timed(span, START, START + 1, status)).outcome().result())
                .isEqualTo(result);
    }

    @ParameterizedTest
    @CsvSource({
        "timeout, TIMEOUT",
        "httpx.ReadTimeout, TIMEOUT",
        "DEADLINE_EXCEEDED, TIMEOUT",
        "504, TIMEOUT",
        "429, CLIENT_ERROR",
        "500, SERVER_ERROR",
        "302, OTHER",
        "4xx, OTHER",
        "5:0, OTHER",
        "5/0, OTHER",
        "409, CLIENT_ERROR",
        "4290, OTHER",
        "pydantic.ValidationError, MALFORMED",
        "json.decoder.JSONDecodeError, MALFORMED",
        "_OTHER, OTHER",
        "'', OTHER"
    })
    void the_error_type_of_a_span_becomes_that_of_the_outcome(String errorType, ErrorType expected) {
        Span span = timed(agent(SpanAttribute.ERROR_TYPE, errorType), START, START + 1, Span.STATUS_ERROR);
        assertThat(execution(span).outcome().errorType()).isEqualTo(expected);
    }

    @Test
    void nonsense_is_rejected_with_its_reason() {
        assertRejected(SpanRejection.NO_END, timed(agent(), START, 0, 0));
        assertRejected(SpanRejection.NEGATIVE_DURATION, timed(agent(), START, START - 1, 0));
        assertRejected(SpanRejection.TOO_LONG, timed(agent(), 0, START, 0));
        assertRejected(SpanRejection.TOO_LONG, timed(agent(), 0, -1, 0));
        assertRejected(
                SpanRejection.TOO_LONG,
                timed(agent(), START, START + Duration.ofDays(30).toSeconds() * SECOND + 1, 0));
        assertRejected(SpanRejection.INVALID_AGENT_ID, agent(SpanAttribute.AGENT_ID, "no id"));
        for (String name : new String[] {"a\nb", "n".repeat(257)}) {
            assertRejected(SpanRejection.INVALID_NAME, agent(SpanAttribute.AGENT_NAME, name));
        }
        for (SpanKey key : new SpanKey[] {
            new SpanKey("", Spans.id(1)),
            new SpanKey("0".repeat(32), Spans.id(1)),
            new SpanKey(Spans.TRACE, "0".repeat(16)),
            new SpanKey(Spans.TRACE, "1"),
            new SpanKey(Spans.TRACE, "zzzzzzzzzzzzzzzz")
        }) {
            assertRejected(SpanRejection.INVALID_ID, with(agent(), key, agent().resource()));
        }
        assertRejected(SpanRejection.INVALID_NAME, with(agent(), agent().key(), Map.of()));
    }

    @Test
    void a_span_of_exactly_thirty_days_or_with_an_agent_id_and_no_service_is_not_rejected() {
        long month = Duration.ofDays(30).toSeconds() * SECOND;
        assertThat(execution(timed(agent(), START, START + month, 0)).rejection())
                .isEmpty();
        assertThat(execution(with(agent(SpanAttribute.AGENT_ID, "billing-01"), Spans.key(1), Map.of()))
                        .rejection())
                .isEmpty();
    }

    @Test
    void the_agent_id_of_a_span_comes_before_that_of_its_resource() {
        Map<SpanAttribute, String> resource =
                Map.of(SpanAttribute.SERVICE_NAME, "shop", SpanAttribute.AGENT_ID, "of-resource");
        assertThat(execution(with(agent(), Spans.key(1), resource)).agentId()).isEqualTo("of-resource");
        assertThat(execution(with(agent(SpanAttribute.AGENT_ID, "of-span"), Spans.key(1), resource))
                        .agentId())
                .isEqualTo("of-span");
        assertThat(execution(agent()).agentId()).isEmpty();
    }

    @Test
    void an_agent_without_a_name_is_named_by_the_name_of_its_span() {
        assertThat(execution(agent()).name()).isEqualTo(new AgentName("shop", "Planner"));
        assertThat(execution(agent(SpanAttribute.AGENT_NAME, "Billing")).name())
                .isEqualTo(new AgentName("shop", "Billing"));
    }

    @Test
    void the_name_of_a_model_is_not_that_of_an_agent() {
        assertThat(execution(agent(SpanAttribute.MODEL, "Planner")).name()).isEqualTo(new AgentName("shop", ""));
    }

    @Test
    void a_handoff_is_no_execution_of_the_agent_that_takes_over() {
        assertThat(Execution.of(agent(SpanAttribute.HANDOFF_FROM, "Triage"))).isEmpty();
    }

    private static void assertRejected(SpanRejection reason, Span span) {
        assertThat(execution(span).rejection()).contains(reason);
    }

    private static Execution execution(Span span) {
        return Execution.of(span).orElseThrow();
    }

    private static Span agent(Object... more) {
        Object[] attributes = new Object[more.length + 2];
        attributes[0] = SpanAttribute.OPERATION;
        attributes[1] = "invoke_agent";
        System.arraycopy(more, 0, attributes, 2, more.length);
        return span(1, 0, attributes);
    }

    private static Span with(Span span, SpanKey key, Map<SpanAttribute, String> resource) {
        return new Span(
                key,
                span.parentId(),
                span.name(),
                span.scope(),
                span.startNanos(),
                span.endNanos(),
                span.status(),
                span.attributes(),
                resource);
    }

    @Test
    void an_execution_may_take_no_time() {
        Execution instant = execution(timed(agent(), START, START, 0));
        assertThat(instant.rejection()).isEmpty();
        assertThat(instant.outcome().latencyMs()).isZero();
    }

    @Test
    void a_name_has_an_id_of_its_own_and_a_longest() {
        AgentName planner = new AgentName("shop", "Planner");
        assertThat(planner.ofWholeService()).isEqualTo(new AgentName("shop", ""));
        assertThat(planner.id())
                .matches("[0-9a-f]{32}")
                .isNotEqualTo(planner.ofWholeService().id());
        assertThat(new AgentName("shop", "n".repeat(256)).isValid()).isTrue();
        assertThat(new AgentName("shop", "n".repeat(257)).isValid()).isFalse();
        for (SpanAttribute attribute : SpanAttribute.values()) {
            assertThat(SpanAttribute.ofKey(attribute.key())).contains(attribute);
        }
        assertThat(SpanAttribute.SERVICE_NAME.key()).isEqualTo("service.name");
    }
}
