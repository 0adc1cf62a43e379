package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.sweep.Sweep;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.Role;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A key owns a limited number of live agents, and of watched ones, by the count of the sweep and by the changes since. */
@Tag("SYS-02")
class AgentQuotaTest {

    private static final String WATCH = "\"endpoint\":\"https://agent.test/a2a\",\"watch\":{\"interval_seconds\":60}";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final RegistryClient client = new RegistryClient(system);
    private final Sweep sweep = system.sweep();

    @Test
    void a_key_at_its_quota_registers_no_further_agent() {
        configure(3);
        TestAgent first = client.newAgent("");
        client.newAgent("");
        client.newAgent("");
        count();
        Response refused = client.register("{\"agent_id\":\"one-more\"}");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.json().path("error").asText()).isEqualTo("agent_quota_reached");
        assertThat(refused.json().path("detail").asText()).contains("3 live agents");
        assertThat(client.get("one-more").status()).isEqualTo(404);

        system.addKey("another-key", Role.AGENT, Set.of());
        assertThat(client.register("another-key", "{\"agent_id\":\"of-another\"}")
                        .status())
                .isEqualTo(201);

        first.deregister();
        assertThat(client.register("{\"agent_id\":\"" + first.id() + "\"}").status())
                .as("registers again")
                .isEqualTo(201);

        first.deregister();
        count();
        assertThat(client.register("{\"agent_id\":\"one-more\"}").status()).isEqualTo(201);
    }

    @Test
    void a_burst_before_the_next_count_is_no_larger_than_the_quota() {
        configure(3);
        for (int i = 0; i < 3; i++) {
            client.newAgent("");
        }
        assertThat(client.register("{\"agent_id\":\"fourth\"}").status()).isEqualTo(403);
        assertThat(client.get("fourth").status()).isEqualTo(404);
        system.addKey("another-key", Role.AGENT, Set.of());
        assertThat(client.register("another-key", "{\"agent_id\":\"of-another\"}")
                        .status())
                .isEqualTo(201);
    }

    @Test
    void agents_that_are_gone_count_until_they_are_archived() {
        configure(1);
        for (int i = 0; i < 10; i++) {
            assertThat(client.register("{\"agent_id\":\"short-" + i + "\"}").status())
                    .as("agent %d", i)
                    .isEqualTo(201);
            new TestAgent(system, "short-" + i).deregister();
            count();
            count();
        }
        assertThat(client.register("{\"agent_id\":\"one-more\"}").status()).isEqualTo(403);
        assertThat(client.register("{\"agent_id\":\"short-0\"}").status())
                .as("registers again")
                .isEqualTo(201);
        new TestAgent(system, "short-0").deregister();
        for (int i = 0; i < 61; i++) {
            count();
        }
        count();
        assertThat(client.register("{\"agent_id\":\"one-more\"}").status()).isEqualTo(201);
    }

    @Test
    void a_raised_quota_applies_from_the_next_pass_on() {
        configure(1);
        client.newAgent("");
        count();
        assertThat(client.register("{\"agent_id\":\"one-more\"}").status()).isEqualTo(403);
        configure(2);
        count();
        assertThat(client.register("{\"agent_id\":\"one-more\"}").status()).isEqualTo(201);
    }

    @Test
    void the_sweep_writes_the_owners_at_their_quota_only_when_they_change() {
        configure(1);
        TestAgent agent = client.newAgent("");
        count();
        agent.sendHeartbeat();
        count();
        agent.sendHeartbeat();
        system.meter().reset();
        sweep.passes(null);
        assertThat(system.meter().operations().stream().filter(operation -> operation.equals("UpdateItem")))
                .as("the start of the pass only")
                .hasSize(1);
    }

    @Test
    void a_key_at_its_quota_has_no_further_agent_watched() {
        configure(100, 2);
        TestAgent first = watched("first");
        watched("second");
        TestAgent free = client.newAgent("");
        count();
        for (Response refused :
                List.of(client.register("{\"agent_id\":\"fourth\"," + WATCH + "}"), free.change("{" + WATCH + "}"))) {
            assertThat(refused.status()).isEqualTo(403);
            assertThat(refused.json().path("error").asText()).isEqualTo("watch_quota_reached");
            assertThat(refused.json().at("/errors/0/field").asText()).isEqualTo("watch");
        }
        assertThat(client.get("fourth").status()).isEqualTo(404);
        assertThat(client.register("{\"agent_id\":\"fifth\"}").status()).isEqualTo(201);
        assertThat(first.change("{\"watch\":{\"timeout_seconds\":9}}").status())
                .as("is watched already")
                .isEqualTo(200);
        assertThat(client.register("{\"agent_id\":\"second\",\"replace\":true," + WATCH + "}")
                        .status())
                .as("registers again")
                .isEqualTo(201);

        first.deregister();
        assertThat(client.register("{\"agent_id\":\"first\"," + WATCH + "}").status())
                .as("was not watched any more")
                .isEqualTo(403);
        assertThat(client.register("{\"agent_id\":\"first\"}").status()).isEqualTo(201);
        assertThat(new TestAgent(system, "second").change("{\"watch\":null}").status())
                .isEqualTo(200);
        count();
        assertThat(free.change("{" + WATCH + "}").status()).isEqualTo(200);
    }

    @Test
    void a_burst_of_watched_agents_before_the_next_count_is_no_larger_than_the_quota() {
        configure(1_000, 5);
        count();
        List<TestAgent> unwatched =
                IntStream.range(0, 20).mapToObj(i -> client.newAgent("")).toList();
        assertThat(IntStream.range(0, 20)
                        .filter(i -> isAccepted(client.register("{\"agent_id\":\"new-" + i + "\"," + WATCH + "}")))
                        .count())
                .as("first registrations")
                .isEqualTo(5);
        assertThat(unwatched.stream()
                        .filter(agent -> isAccepted(agent.change("{" + WATCH + "}")))
                        .count())
                .as("changes")
                .isZero();
        system.addKey("another-key", Role.AGENT, Set.of());
        assertThat(client.register("another-key", "{\"agent_id\":\"of-another\"," + WATCH + "}")
                        .status())
                .isEqualTo(201);
    }

    @Test
    void a_burst_of_changes_or_of_repeated_registrations_makes_no_more_agents_watched_than_the_quota() {
        configure(1_000, 5);
        count();
        List<TestAgent> agents =
                IntStream.range(0, 20).mapToObj(i -> client.newAgent("")).toList();
        assertThat(agents.subList(0, 3))
                .allMatch(agent -> isAccepted(agent.change("{" + WATCH + "}")))
                .allMatch(agent -> isAccepted(agent.change("{\"watch\":null}")))
                .as("an agent counts once")
                .allMatch(agent -> isAccepted(agent.change("{" + WATCH + "}")));
        assertThat(agents.stream()
                        .skip(3)
                        .filter(agent -> isAccepted(client.register(
                                "{\"agent_id\":\"" + agent.id() + "\",\"replace\":true," + WATCH + "}")))
                        .count())
                .isEqualTo(2);
        assertThat(agents.get(19).change("{" + WATCH + "}").status()).isEqualTo(403);
    }

    private static boolean isAccepted(Response response) {
        return response.status() < 300;
    }

    private TestAgent watched(String id) {
        assertThat(client.register("{\"agent_id\":\"" + id + "\"," + WATCH + "}")
                        .status())
                .isEqualTo(201);
        return new TestAgent(system, id);
    }

    private void configure(int maxAgentsPerKey) {
        configure(maxAgentsPerKey, 1_000);
    }

    private void configure(int maxAgentsPerKey, int maxWatchedAgentsPerKey) {
        String body =
                """
                {"sweep_passes_per_minute":1,"sweep_fan_out_agents":200000,
                 "mass_silence":{"minimum_agents":50,"silent_percent":55,"death_percent_per_minute":10},
                 "invocations":{"per_second":10,"burst":20,"max_in_flight":5},"default_window_seconds":86400,
                 "max_agents_per_key":%d,"max_watched_agents_per_key":%d,"public_catalogue":false}
                """
                        .formatted(maxAgentsPerKey, maxWatchedAgentsPerKey);
        assertThat(system.api()
                        .put("/v1/admin/configuration")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body(body)
                        .send()
                        .status())
                .isEqualTo(200);
    }

    /** A pass of the sweep, and the minute for which registrations cache what it found. */
    private void count() {
        sweep.passes(null);
        system.clock().advanceSeconds(60);
    }
}
