package dev.agenthealth.functions.registry.leases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.f4b6a3.ulid.UlidCreator;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.functions.sweep.Sweep;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.model.registry.lease.Lease;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An agent, the agents of a key, and all agents have a limited number of live leases, by the count of the sweep and by what this process granted since. */
@Tag("SYS-02")
class LeaseQuotaTest {

    private static final String OTHER = "another-key";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final LeaseClient leases = new LeaseClient(system.api());
    private final Sweep sweep = system.sweep();

    @Test
    void an_agent_at_its_maximum_is_granted_no_further_lease_until_one_ends() {
        limit(2, 100, 100);
        TestAgent.registered(system, "one");
        TestAgent.registered(system, "two");
        JsonNode first = leases.granted("one", "a", 60);
        leases.granted("one", "b", 60);
        refused(leases.acquire("one", "c", 60), "Agent 'one' has 2 live leases");
        assertThat(leases.acquire("one", "a", 60).status())
                .as("holds it already")
                .isEqualTo(200);
        leases.granted("two", "c", 60);
        leases.release(first);
        leases.granted("one", "d", 60);
    }

    @Test
    void the_agents_of_a_key_share_a_maximum_and_other_keys_go_on() {
        limit(100, 3, 100);
        register(OTHER, "theirs");
        TestAgent.registered(system, "one");
        TestAgent.registered(system, "two");
        leases.granted("one", "a", 600);
        leases.granted("one", "b", 600);
        JsonNode last = leases.granted("two", "c", 600);
        refused(leases.acquire("two", "d", 60), "The agents of this key have 3 live leases");
        assertThat(leases.acquire(OTHER, "theirs", "d", 60).status()).isEqualTo(201);
        pass();
        refused(leases.acquire("two", "e", 60), "The agents of this key have 3 live leases");
        leases.release(last);
        leases.granted("two", "e", 60);
    }

    @Test
    void all_keys_share_a_maximum() {
        limit(100, 100, 2);
        register(OTHER, "theirs");
        TestAgent.registered(system, "one");
        leases.granted("one", "a", 600);
        assertThat(leases.acquire(OTHER, "theirs", "b", 600).status()).isEqualTo(201);
        refused(leases.acquire("one", "c", 60), "All agents together have 2 live leases");
        refused(leases.acquire(OTHER, "theirs", "c", 60), "All agents together have 2 live leases");
    }

    @Test
    void an_expired_lease_counts_until_the_sweep_ends_it() {
        limit(1, 100, 100);
        TestAgent.registered(system, "one");
        leases.granted("one", "a", 1);
        system.clock().advanceSeconds(2);
        refused(leases.acquire("one", "b", 60), "Agent 'one' has 1 live leases");
        pass();
        leases.granted("one", "b", 60);
    }

    @Test
    void a_takeover_of_an_expired_lease_takes_no_further_place() {
        limit(100, 1, 100);
        TestAgent.registered(system, "one");
        leases.granted("one", "a", 1);
        pass();
        leases.granted("one", "a", 1);
        system.clock().advanceSeconds(3);
        pass();
        leases.granted("one", "b", 60);
    }

    @Test
    void leases_that_another_process_granted_count_from_the_next_pass_on() {
        limit(100, 2, 100);
        TestAgent.registered(system, "one");
        grantElsewhere("a");
        grantElsewhere("b");
        leases.granted("one", "c", 60);
        pass();
        refused(leases.acquire("one", "d", 60), "The agents of this key have 2 live leases");
    }

    private void grantElsewhere(String scope) {
        Pulse holder = new TestAgent(system, "one").pulse();
        Instant now = system.clock().instant();
        Lease lease = new Lease(
                "lease_" + UlidCreator.getMonotonicUlid(),
                "elsewhere",
                scope,
                new Lease.Holder("one", "", holder.incarnation(), holder.owner()),
                1,
                new Lease.Term(now, now.plusSeconds(600)),
                Lease.State.ACTIVE);
        assertThat(new LeaseStore(system.database()).acquire(Optional.empty(), holder, lease))
                .isTrue();
    }

    private void register(String key, String agentId) {
        system.addKey(key, Role.AGENT, Set.of());
        assertThat(system.api()
                        .post("/api/v1/agents")
                        .key(key)
                        .body("{\"agent_id\":\"" + agentId + "\"}")
                        .send()
                        .status())
                .isEqualTo(201);
    }

    private static void refused(Response response, String detail) {
        assertThat(response.status()).as(response.text()).isEqualTo(429);
        assertThat(response.json().path("error").asText()).isEqualTo("lease_quota_reached");
        assertThat(response.json().path("detail").asText()).startsWith(detail);
        assertThat(response.header("Retry-After")).isEqualTo("60");
    }

    private void limit(int perAgent, int perKey, int inAll) {
        String body =
                """
                {"sweep_passes_per_minute":1,"sweep_fan_out_agents":200000,
                 "mass_silence":{"minimum_agents":50,"silent_percent":55,"death_percent_per_minute":10},
                 "invocations":{"per_second":10,"burst":20,"max_in_flight":5},"default_window_seconds":86400,
                 "max_agents_per_key":100,"max_watched_agents_per_key":100,"public_catalogue":false,
                 "leases":{"max_per_agent":%d,"max_per_key":%d,"max_in_all":%d}}
                """
                        .formatted(perAgent, perKey, inAll);
        assertThat(system.api()
                        .put("/v1/admin/configuration")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body(body)
                        .send()
                        .status())
                .isEqualTo(200);
    }

    /** A pass of the sweep, and the time for which a process uses a count again. */
    private void pass() {
        system.clock().advanceSeconds(60);
        sweep.passes(null);
        system.clock().advanceSeconds(10);
    }
}
