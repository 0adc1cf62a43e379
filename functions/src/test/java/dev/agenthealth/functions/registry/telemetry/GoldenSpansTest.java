package dev.agenthealth.functions.registry.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.registry.outcome.OutcomeResult;
import dev.agenthealth.model.registry.telemetry.Execution;
import dev.agenthealth.model.registry.telemetry.Span;
import dev.agenthealth.model.registry.telemetry.SpanKey;
import dev.agenthealth.model.registry.telemetry.SpanTree;
import dev.agenthealth.testkit.Resources;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Spans as frameworks emit them, and the executions that they mean where each name is an agent of its own. */
class GoldenSpansTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "genai-conventions",
                "langgraph",
                "langsmith",
                "langsmith-js",
                "openllmetry-langchain",
                "openllmetry-crewai",
                "openai-agents",
                "openai-agents-python",
                "strands",
                "ai-sdk-6",
                "ai-sdk-7",
                "mastra",
                "google-adk-js",
                "openllmetry-js",
                "openllmetry-langchain-js",
                "openinference-langchain-js",
                "google-adk",
                "autogen",
                "microsoft-agent-framework",
                "openinference",
                "openinference-crewai",
                "openinference-openai-agents",
                "openinference-langgraph",
                "pydantic-ai",
                "smolagents",
                "llama-index",
                "strands-python",
                "google-adk-python",
                "genkit",
                "voltagent"
            })
    void the_spans_of_a_framework_mean_these_executions(String framework) throws IOException {
        JsonNode golden = Json.stored(Resources.text("telemetry/" + framework + ".json"));
        List<Span> spans = OtlpEncoding.JSON.read(
                OtlpSignal.TRACES, Json.text(golden.path("request")).getBytes(StandardCharsets.UTF_8));
        Map<String, Map<SpanKey, Execution>> byAgent = new HashMap<>();
        for (Span span : spans) {
            Execution.of(span).ifPresent(execution -> {
                assertThat(execution.name().service()).isEqualTo("checkout");
                assertThat(execution.rejection()).isEmpty();
                byAgent.computeIfAbsent(execution.name().agent(), name -> new HashMap<>())
                        .put(span.key(), execution);
            });
        }
        SpanTree tree = new SpanTree(spans);
        List<String> found = new ArrayList<>();
        byAgent.forEach((agent, executions) -> tree.outermost(executions.keySet())
                .forEach(key -> found.add(
                        agent + " failed: " + (executions.get(key).outcome().result() == OutcomeResult.FAILURE))));
        List<String> expected = new ArrayList<>();
        golden.path("executions")
                .forEach(one -> expected.add(one.path("agent").asText() + " failed: "
                        + one.path("failed").asBoolean()));
        assertThat(found).as(golden.path("note").asText()).containsExactlyInAnyOrderElementsOf(expected);
    }
}
