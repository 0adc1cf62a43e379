package dev.agenthealth.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.client.FakeRegistry.Sent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever happens around agents in whatever order, a few things always hold. */
class RandomLifeTest {

    private static final int LIVES = Integer.getInteger("client.lives", 40);

    private static final List<String> PROBLEMS = List.of(
            "401 unauthenticated",
            "403 forbidden",
            "404 agent_not_found",
            "400 invalid_request",
            "410 agent_gone",
            "429 rate_limited",
            "503 temporarily_unavailable",
            "500 internal_error");

    @Test
    void agents_are_tried_in_their_rhythm_batches_keep_their_content_and_no_agent_is_replaced_later() {
        for (int seed = 0; seed < LIVES; seed++) {
            new Life(seed).run();
        }
    }

    private static final class Life {

        private final int seed;
        private final Random random;
        private final FakeRegistry registry = new FakeRegistry();
        private final List<ManagedAgent> agents = new ArrayList<>();

        Life(int seed) {
            this.seed = seed;
            this.random = new Random(seed);
        }

        void run() {
            AgentHealthClient client =
                    registry.client().random(new Random(seed)).build();
            for (int i = 0; i < 1 + random.nextInt(3); i++) {
                agents.add(client.agent(Registration.of("agent-" + i)).start());
                advance(random.nextInt(40));
            }
            for (int i = 0; i < 40; i++) {
                happen();
                advance(random.nextInt(60));
            }
            registry.comeBack();
            List.of("/heartbeat", "/heartbeats", "/agents").forEach(registry::accept);
            advance(120);
            check(client);
        }

        private void happen() {
            String[] problem = PROBLEMS.get(random.nextInt(PROBLEMS.size())).split(" ");
            String path = List.of("/heartbeat", "/heartbeats", "/agents").get(random.nextInt(3));
            switch (random.nextInt(6)) {
                case 0 -> registry.goAway();
                case 1 -> registry.comeBack();
                case 2 -> registry.refuse(path, Integer.parseInt(problem[0]), problem[1]);
                case 3 -> registry.accept(path);
                case 4 -> registry.scheduler.suspend(Duration.ofSeconds(random.nextInt(900)));
                default -> agents.get(random.nextInt(agents.size())).run(() -> {});
            }
        }

        private void advance(int seconds) {
            registry.scheduler.advance(Duration.ofSeconds(seconds));
        }

        private void check(AgentHealthClient client) {
            Map<String, JsonNode> batches = new HashMap<>();
            for (Sent sent : registry.sent) {
                parts(sent.body()).stream().filter(part -> part.has("outcomes")).forEach(part -> {
                    JsonNode before = batches.putIfAbsent(part.path("batch_id").asText(), part.path("outcomes"));
                    assertThat(before == null ? part.path("outcomes") : before)
                            .as("seed %d", seed)
                            .isEqualTo(part.path("outcomes"));
                });
            }
            assertThat(registry.registrations())
                    .as("seed %d: replace at the start only", seed)
                    .filteredOn(sent -> sent.body().path("replace").asBoolean())
                    .hasSize(agents.size());
            assertThat(agents).as("seed %d", seed).allSatisfy(agent -> {
                assertThat(agent.state()).isEqualTo(AgentState.ACTIVE);
                assertThat(agent.lastFailure()).isEmpty();
                assertThat(agent.lastAnswerAt().orElseThrow())
                        .isAfter(registry.clock.instant().minusSeconds(31));
            });
            client.close();
            assertThat(agents).as("seed %d", seed).allSatisfy(agent -> assertThat(
                            agent.whenEnded().toCompletableFuture())
                    .isCompletedWithValue(AgentEnd.DRAINED));
        }

        private static List<JsonNode> parts(JsonNode body) {
            List<JsonNode> parts = new ArrayList<>(List.of(body));
            body.path("heartbeats").forEach(parts::add);
            return parts;
        }
    }
}
