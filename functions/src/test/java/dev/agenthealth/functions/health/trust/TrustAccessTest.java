package dev.agenthealth.functions.health.trust;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.Role;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The keys that may read records, and those that may block. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("SN-01")
@Tag("SN-03")
@Tag("SN-05")
class TrustAccessTest {

    private static final String COORDINATOR_OF_WORKERS = "workers-coordinator";
    private static final String COORDINATOR_OF_OTHERS = "others-coordinator";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final TrustClient client = new TrustClient(system);

    @BeforeAll
    void fill() {
        system.addKey(COORDINATOR_OF_WORKERS, Role.COORDINATOR, Set.of("worker"));
        system.addKey(COORDINATOR_OF_OTHERS, Role.COORDINATOR, Set.of("other"));
        client.newAgent("mine", "p");
        assertThat(system.api()
                        .post("/api/v1/agents")
                        .key(TestSystem.OTHER_AGENT_KEY)
                        .body(
                                """
                                {"agent_id":"theirs","role_id":"other","provider_id":"p"}\
                                """)
                        .send()
                        .status())
                .isEqualTo(201);
        client.block("agents/mine", "secret suspicion");
    }

    @ParameterizedTest(name = "{0} reads {1}: {2}")
    @CsvSource({
        "test-agent-key,         agents,         403",
        "test-agent-key,         agents/mine,    200",
        "test-agent-key,         agents/theirs,  403",
        "test-agent-key,         agents/unknown, 404",
        "test-other-agent-key,   agents/mine,    403",
        "test-other-agent-key,   agents/theirs,  200",
        "test-coordinator-key,   agents,         200",
        "test-coordinator-key,   agents/mine,    200",
        "workers-coordinator,    agents,         200",
        "workers-coordinator,    agents/mine,    200",
        "workers-coordinator,    agents/theirs,  403",
        "test-administrator-key, agents/theirs,  200",
        "test-agent-key,         providers,      403",
        "test-agent-key,         providers/p,    403",
        "test-agent-key,         providers/q,    403",
        "workers-coordinator,    providers,      403",
        "workers-coordinator,    providers/p,    403",
        "test-coordinator-key,   providers,      200",
        "test-coordinator-key,   providers/p,    200",
        "test-coordinator-key,   providers/q,    404",
        "test-administrator-key, providers/p,    200"
    })
    void records_are_readable_by_authorized_keys_only(String key, String what, int status) {
        for (String kind : List.of("trust", "health")) {
            assertThat(client.get(key, "/v1/" + kind + "/" + what).status())
                    .as(kind)
                    .isEqualTo(status);
        }
    }

    @Test
    void a_coordinator_limited_to_some_roles_lists_only_their_agents() {
        for (String kind : List.of("trust", "health")) {
            String path = "/v1/" + kind + "/agents";
            assertThat(ids(client.get(COORDINATOR_OF_WORKERS, path))).containsExactly("mine");
            assertThat(ids(client.get(COORDINATOR_OF_OTHERS, path))).containsExactly("theirs");
            assertThat(ids(client.get(TestSystem.COORDINATOR_KEY, path))).containsExactlyInAnyOrder("mine", "theirs");
        }
    }

    @Test
    void operators_see_the_reason_of_a_block_and_the_agent_does_not() {
        JsonNode own = client.get(TestSystem.AGENT_KEY, "/v1/trust/agents/mine").json();
        assertThat(own.path("blocked").booleanValue()).isTrue();
        assertThat(own.path("block_reason").isNull()).isTrue();
        for (String key : List.of(TestSystem.COORDINATOR_KEY, COORDINATOR_OF_WORKERS, TestSystem.ADMINISTRATOR_KEY)) {
            assertThat(client.get(key, "/v1/trust/agents/mine")
                            .json()
                            .path("block_reason")
                            .asText())
                    .isEqualTo("secret suspicion");
        }
    }

    private static List<String> ids(Response response) {
        assertThat(response.status()).isEqualTo(200);
        return response.json().path("items").findValuesAsText("agent_id");
    }
}
