package dev.agenthealth.functions.api.routes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.api.access.Access;
import dev.agenthealth.functions.registry.telemetry.TelemetryRoutes;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.TableContents;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A misspelt parameter must not silently become a default. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-08")
class QueryParametersTest {

    private static final Set<Access> IGNORING = EnumSet.of(Access.PUBLIC, Access.OPTIONAL_KEY, Access.UNVERIFIED_KEY);

    @AutoClose
    private final TestSystem system = new TestSystem();

    @BeforeAll
    void register() {
        assertThat(new TestAgent(system, "a").register("").status()).isEqualTo(201);
    }

    Stream<Route> withKey() {
        return system.api().routes().stream().filter(route -> !IGNORING.contains(route.access()));
    }

    @ParameterizedTest
    @MethodSource("withKey")
    void unknown_and_empty_parameters_are_refused_where_a_key_is_needed(Route route) {
        TableContents before = TableContents.of(system.tables());
        Response response = send(route, "stauts", "active");
        assertThat(response.status()).as(response.text()).isEqualTo(400);
        assertThat(TableContents.of(system.tables())).isEqualTo(before);
        if (TelemetryRoutes.isOtlp(route.key())) {
            assertThat(response.json().path("message").asText()).contains("stauts");
            return;
        }
        // A request may lack a parameter too, which the answer names beside the unknown one.
        JsonNode error = StreamSupport.stream(response.json().path("errors").spliterator(), false)
                .filter(each -> each.path("field").asText().equals("stauts"))
                .findFirst()
                .orElseThrow(() -> new AssertionError(response.text()));
        assertThat(error.path("message").asText())
                .matches("is not a parameter of this request, which takes "
                        + (route.is(Route.Option.QUERY) ? "[A-Za-z0-9_-]+(, [A-Za-z0-9_-]+)*" : "none"));
        assertThat(error.path("message").asText().endsWith("takes none")).isEqualTo(!route.is(Route.Option.QUERY));
        if (error.path("message").asText().contains("limit")) {
            assertThat(send(route, "limit", "")
                            .json()
                            .path("errors")
                            .path(0)
                            .path("message")
                            .asText())
                    .isEqualTo("must not be empty");
        }
    }

    @ParameterizedTest
    @CsvSource({"status, ''", "status, ','", "capabilities, ' , '", "role_id, ''"})
    void a_filter_without_a_value_is_no_filter_that_all_pass(String parameter, String value) {
        Response response = system.api()
                .get("/api/v1/agents")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .query(parameter, value)
                .send();
        assertThat(response.status()).isEqualTo(400);
        assertThat(response.json().path("errors").path(0).path("field").asText())
                .isEqualTo(parameter);
    }

    @Test
    void public_documents_ignore_unknown_parameters() {
        for (String path : new String[] {"/.well-known/agent-health", "/agents/a/.well-known/agent-health"}) {
            assertThat(system.api().get(path).query("utm_source", "x").send().status())
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/agents/a/heartbeat, ''",
        "/api/v1/heartbeats, {\"heartbeats\":[]}",
        "/openintent/api/v1/agents/a/heartbeat, ''"
    })
    @Tag("R16-10")
    void a_query_parameter_costs_no_heartbeat(String path, String body) {
        for (String parameter : new String[] {"_", "limit", "status"}) {
            Response response = system.api()
                    .post(path)
                    .key(TestSystem.AGENT_KEY)
                    .query(parameter, "")
                    .body(body)
                    .undescribed()
                    .send();
            assertThat(response.status()).as(response.text()).isEqualTo(200);
        }
    }

    private Response send(Route route, String parameter, String value) {
        String method = route.key().substring(0, route.key().indexOf(' '));
        String path = route.key().substring(method.length() + 1).replaceAll("\\{[a-z_]+}", "a");
        return system.api()
                .request(method, path)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .query(parameter, value)
                .body(method.equals("GET") ? "" : "{}")
                .send();
    }
}
