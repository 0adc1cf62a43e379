package dev.agenthealth.example.frameworks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.client.AgentHealthClient;
import dev.agenthealth.client.ManagedAgent;
import dev.agenthealth.client.Registration;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.template.Template;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how the registry shows agents that are built with frameworks, by docs/guides/frameworks/java.md. */
@Timeout(120)
@Tag("slow")
class FrameworksTest {

    private static final String KEY = "test-administrator-key";
    private static final Path PAGE = Path.of("../../docs/guides/frameworks/java.md");
    private static final Path SOURCES = Path.of("src/test/java/dev/agenthealth/example/frameworks");

    private static LocalSystem system;
    private static AgentHealthClient registry;

    @BeforeAll
    static void start() throws Exception {
        system = LocalSystem.start(LocalOptions.of(Template.find(), KEY)
                .sweepPeriod(Duration.ofSeconds(1))
                .out(new PrintStream(OutputStream.nullOutputStream())));
        try (AgentHealthClient administrator = AgentHealthClient.of(system.baseUrl(), KEY)) {
            registry = AgentHealthClient.of(
                    system.baseUrl(),
                    administrator
                            .keys()
                            .issue("agent", "frameworks", List.of(), List.of())
                            .apiKey());
        }
    }

    @AfterAll
    static void stop() {
        registry.close();
        system.close();
    }

    @Test
    void an_agent_of_spring_ai_is_seen_alive_at_work_and_drained() throws Exception {
        check("support_spring_ai", (agent, models) -> new SpringAiAgent(agent, models.springAi(), models::lookUp));
    }

    @Test
    void an_agent_of_langchain4j_is_seen_alive_at_work_and_drained() throws Exception {
        check(
                "support_langchain4j",
                (agent, models) -> new LangChain4jAgent(
                        agent, models.langChain4j(new LangChain4jAgent.ModelCalls(agent)), models::lookUp));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SpringAiAgent", "LangChain4jAgent"})
    void the_page_shows_the_program(String program) throws Exception {
        String source = Files.readString(SOURCES.resolve(program + ".java"));

        assertThat(Files.readString(PAGE)).contains("```java\n" + source.substring(source.indexOf("import ")) + "```");
    }

    private static void check(String agentId, BiFunction<ManagedAgent, Models, Support> framework) throws Exception {
        Models models = new Models();
        Registration registration = Registration.of(agentId)
                .heartbeat(Duration.ofSeconds(1), Duration.ofSeconds(3), Duration.ofSeconds(10));
        try (ManagedAgent agent = registry.agent(registration).start()) {
            Support support = framework.apply(agent, models);
            assertThat(record(agentId).path("status").asText()).isEqualTo("active");

            seenWaiting(agentId, support, "model", models.model);
            seenWaiting(agentId, support, "tool", models.tool);
            assertThatThrownBy(() -> support.answer("fail")).hasMessageContaining("overloaded");

            JsonNode score = until(
                    () -> registry.health().score(agentId).json(),
                    found -> found.path("executions").asInt() >= 3);
            assertThat(score.path("executions").asInt()).isEqualTo(3);
            int failures = 0;
            for (JsonNode count : score.path("errors")) {
                failures += count.asInt();
            }
            assertThat(failures).isEqualTo(1);
            assertThat(score.at("/dimensions/performance/actual_runtime_ms").asDouble())
                    .isPositive();
            // Two answers of two calls each, and a call that failed.
            assertThat(registry.health()
                            .usage("agent", Map.of("agent_id", agentId))
                            .path("total"))
                    .hasToString("{\"input_tokens\":400,\"output_tokens\":40,\"cache_read_tokens\":0,"
                            + "\"model_calls\":5,\"tool_calls\":2,\"executions\":3}");
        }
        assertThat(record(agentId).path("status").asText()).isEqualTo("deregistered");
    }

    /** Asks a question and holds the model or the tool. Releases it after the registry shows that the agent waits for it. */
    private static void seenWaiting(String agentId, Support support, String phase, Semaphore held)
            throws InterruptedException, ExecutionException {
        int permits = held.drainPermits();
        CompletableFuture<String> answer = CompletableFuture.supplyAsync(() -> {
            try {
                return support.answer("Where is order 42?");
            } catch (Exception failure) {
                throw new IllegalStateException(failure);
            }
        });
        until(
                () -> record(agentId),
                found -> found.at("/activity/phase").asText().equals(phase)
                        && found.at("/capacity/current_load").asInt() == 1);
        held.release(permits);
        assertThat(answer.get()).isEqualTo("order 42 is on its way");
    }

    private static JsonNode record(String agentId) {
        return registry.agents().get(agentId).json();
    }

    private static JsonNode until(Supplier<JsonNode> look, Predicate<JsonNode> condition) {
        Instant deadline = Instant.now().plus(Duration.ofSeconds(60));
        JsonNode found = look.get();
        while (!condition.test(found)) {
            assertThat(Instant.now()).as(found.toString()).isBefore(deadline);
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
            found = look.get();
        }
        return found;
    }
}
