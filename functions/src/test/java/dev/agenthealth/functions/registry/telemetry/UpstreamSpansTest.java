package dev.agenthealth.functions.registry.telemetry;

import static dev.agenthealth.functions.registry.telemetry.TestSpans.attribute;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.id;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.nanos;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.raw;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.span;
import static dev.agenthealth.functions.registry.telemetry.TestSpans.trace;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.upstreams.UpstreamCallStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.upstream.UpstreamCalls.Entry;
import dev.agenthealth.model.registry.upstream.UpstreamError;
import dev.agenthealth.model.registry.upstream.UpstreamUse;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls of model providers in spans. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UpstreamSpansTest {

    private static final String CHAT = attribute("gen_ai.operation.name", "chat");
    private static final String OPENAI =
            CHAT + "," + attribute("gen_ai.provider.name", "openai") + "," + attribute("gen_ai.request.model", "gpt-5");

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final TelemetryClient client = new TelemetryClient(system);
    private TestAgent agent;
    private Instant now;

    @BeforeEach
    void registerAgent() {
        now = client.startInTheMiddleOfASlice();
        agent = client.newAgent();
    }

    private String call(int number, String attributes, int status) {
        return raw(
                trace(1),
                id(number),
                id(1),
                nanos(now.minusSeconds(3)),
                nanos(now.minusSeconds(2)),
                attributes,
                status);
    }

    private void send(String... spans) {
        assertThat(client.send(agent, spans).status()).isEqualTo(200);
    }

    private List<Entry> stored() {
        return new UpstreamCallStore(system.database())
                .all().stream()
                        .filter(use -> use.agentId().equals(agent.id()))
                        .map(UpstreamUse::calls)
                        .flatMap(calls -> calls.entries().stream())
                        .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"key\":\"error.type\",\"value\":{\"stringValue\":\"429\"}}",
                "{\"key\":\"error.type\",\"value\":{\"stringValue\":\"openai.RateLimitError\"}}",
                "{\"key\":\"http.response.status_code\",\"value\":{\"intValue\":\"429\"}}",
                "{\"key\":\"http.response.status_code\",\"value\":{\"intValue\":429}}"
            })
    void a_failing_call_is_stored_once_with_its_model_and_kind(String failure) {
        for (int i = 0; i < 3; i++) {
            send(call(2, OPENAI + "," + failure, 2));
        }
        assertThat(stored())
                .containsExactly(
                        new Entry("openai", "gpt-5", Optional.of(UpstreamError.RATE_LIMITED), 1, now.minusSeconds(2)));
    }

    @Test
    void an_answered_call_ends_the_failure() {
        send(call(2, OPENAI + "," + attribute("error.type", "429"), 2));
        now = now.plusSeconds(1);
        send(call(3, OPENAI, 0));
        assertThat(stored()).singleElement().matches(entry -> !entry.isFailing());
    }

    @Test
    void refused_credentials_and_wrong_requests_are_answers() {
        send(call(2, OPENAI + "," + attribute("error.type", "401"), 2));
        send(call(3, OPENAI + "," + attribute("error.type", "openai.BadRequestError"), 2));
        assertThat(stored()).singleElement().matches(entry -> !entry.isFailing());
    }

    @Test
    void other_conventions_name_the_provider_too() {
        Stream.of(
                        CHAT + "," + attribute("gen_ai.system", "OpenAI.chat"),
                        attribute("openinference.span.kind", "LLM") + "," + attribute("llm.provider", "openai"),
                        attribute("ai.operationId", "ai.generateText.doGenerate") + ","
                                + attribute("ai.model.provider", "openai.responses"))
                .forEach(attributes -> {
                    agent = client.newAgent();
                    send(call(2, attributes + "," + attribute("error.type", "503"), 2));
                    assertThat(stored())
                            .containsExactly(new Entry(
                                    "openai", "", Optional.of(UpstreamError.UNAVAILABLE), 1, now.minusSeconds(2)));
                });
    }

    @Test
    void an_execution_with_a_failing_call_failed_because_of_its_provider() {
        send(
                call(2, OPENAI + "," + attribute("error.type", "429"), 2),
                span(1, 0, now.minusSeconds(1), "bot", 2, "," + attribute("error.type", "RuntimeError")));
        assertThat(client.stored(agent).total().get(OutcomeCounter.UPSTREAM_ERRORS))
                .isEqualTo(1);
        assertThat(client.stored(agent).total().failures()).isEqualTo(1);
        agent = client.newAgent();
        send(
                call(2, OPENAI + "," + attribute("error.type", "401"), 2),
                span(1, 0, now.minusSeconds(1), "bot", 2, "," + attribute("error.type", "RuntimeError")));
        assertThat(client.stored(agent).total().get(OutcomeCounter.UPSTREAM_ERRORS))
                .isZero();
    }

    @Test
    void a_call_without_a_name_belongs_to_the_agent_of_its_trace() {
        client.map("shared", "bot", agent.id());
        assertThat(client.send(TestSpans.json(
                                "shared",
                                call(2, OPENAI + "," + attribute("error.type", "429"), 2),
                                span(1, 0, now.minusSeconds(1), "bot", 2, "")))
                        .status())
                .isEqualTo(200);
        assertThat(stored()).hasSize(1);
    }

    @Test
    void calls_of_unknown_agents_and_odd_names_are_no_error() {
        String secret = "s3cret-prompt";
        assertThat(client.send(TestSpans.json("unknown", call(2, OPENAI + "," + attribute("error.type", "429"), 2)))
                        .status())
                .isEqualTo(200);
        send(call(
                2,
                CHAT + "," + attribute("gen_ai.provider.name", "x".repeat(5_000)) + ","
                        + attribute("gen_ai.request.model", "<b>\\u202E|" + "y".repeat(5_000)) + ","
                        + attribute("error.type", "429") + "," + attribute("gen_ai.input.messages", secret),
                2));
        assertThat(stored())
                .singleElement()
                .matches(entry -> entry.provider().length() == 64
                        && entry.model().length() == 64
                        && entry.model().matches("[a-z0-9._:/@-]+"));
        assertThat(new UpstreamCallStore(system.database()).all().toString()).doesNotContain(secret);
    }
}
