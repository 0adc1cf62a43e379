package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.window.MeasurementWindow;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An agent that declares no measurement window keeps the default window of its registration (Agent Health State §4.4). */
@Tag("AHS-09")
class DefaultWindowTest {

    private static final String CONFIGURATION = "/v1/admin/configuration";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final RegistryClient client = new RegistryClient(system);

    @Test
    void the_default_is_24_hours_and_absent_from_the_record() {
        TestAgent agent = client.newAgent("");
        assertThat(expectations(agent)).isEqualTo(Json.object());
        assertThat(window(agent)).isEqualTo(86_400);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "                                                  | {'window_seconds':3600}",
                ",'expectations':null                              | {'window_seconds':3600}",
                ",'expectations':{}                                | {'window_seconds':3600}",
                ",'expectations':{'window_seconds':null}           | {'window_seconds':3600}",
                ",'expectations':{'sla_ms':100}                    | {'sla_ms':100,'window_seconds':3600}",
                ",'expectations':{'window_seconds':600}            | {'window_seconds':600}",
                ",'expectations':{'window_seconds':3600}           | {'window_seconds':3600}",
                ",'expectations':{'window_seconds':86400}          | {'window_seconds':86400}"
            },
            quoteCharacter = '`')
    void an_agent_that_declares_no_window_gets_the_configured_one(String declared, String shown) {
        configure(3_600);
        TestAgent agent = client.newAgent(declared == null ? "" : declared.replace('\'', '"'));
        assertThat(expectations(agent)).isEqualTo(Json.stored(shown.replace('\'', '"')));
    }

    @ParameterizedTest
    @ValueSource(ints = {MeasurementWindow.MIN_SECONDS, 86_399, 86_401, MeasurementWindow.MAX_SECONDS})
    void every_configurable_window_can_be_stored_and_sent_back(int seconds) {
        configure(seconds);
        TestAgent agent = client.newAgent("");
        assertThat(window(agent)).isEqualTo(seconds);
        ObjectNode expectations = Json.object();
        expectations.set("expectations", expectations(agent));
        assertThat(client.patchProfile(agent.id(), "*", Json.text(expectations)).status())
                .isEqualTo(200);
        assertThat(window(agent)).isEqualTo(seconds);
    }

    @Test
    @Tag("SYS-02")
    void a_change_of_the_configuration_applies_within_a_minute() {
        configure(3_600);
        assertThat(window(client.newAgent(""))).isEqualTo(3_600);
        replace(7_200);
        system.clock().advanceSeconds(60);
        assertThat(window(client.newAgent(""))).isEqualTo(7_200);
    }

    @Test
    void registered_agents_keep_their_window() {
        TestAgent of24Hours = client.newAgent("");
        configure(3_600);
        TestAgent ofOneHour = client.newAgent("");
        configure(7_200);
        assertThat(window(of24Hours)).isEqualTo(86_400);
        assertThat(window(ofOneHour)).isEqualTo(3_600);
        for (TestAgent agent : List.of(of24Hours, ofOneHour)) {
            agent.sendHeartbeat();
            client.patchProfile(agent.id(), "*", "{\"name\":\"n\",\"expectations\":{\"sla_ms\":100}}");
        }
        configure(86_400);
        assertThat(window(of24Hours)).as("also after a profile change").isEqualTo(86_400);
        assertThat(window(ofOneHour)).isEqualTo(3_600);
    }

    @Test
    @Tag("R16-06")
    void a_registration_without_expectations_keeps_the_window_and_null_takes_the_configured_one() {
        TestAgent agent = client.newAgent("");
        int before = 86_400;
        for (int seconds : new int[] {3_600, 7_200, 86_400}) {
            configure(seconds);
            agent.deregister();
            assertThat(agent.register("").status()).isEqualTo(201);
            assertThat(window(agent)).isEqualTo(before);
            agent.deregister();
            assertThat(agent.register(",\"expectations\":null").status()).isEqualTo(201);
            assertThat(window(agent)).isEqualTo(seconds);
            before = seconds;
        }
        assertThat(expectations(agent)).isEqualTo(Json.object());
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "{\"window_seconds\":null}"})
    void clearing_the_window_restores_the_24_hours_of_the_specification(String cleared) {
        configure(3_600);
        TestAgent agent = client.newAgent("");
        Response changed = client.patchProfile(agent.id(), "*", "{\"expectations\":" + cleared + "}");
        assertThat(changed.json().path("expectations")).isEqualTo(Json.object());
        assertThat(window(agent)).isEqualTo(86_400);
    }

    private JsonNode expectations(TestAgent agent) {
        return client.get(agent.id()).json().path("expectations");
    }

    /** The stored measurement window of the agent, in seconds. */
    private static long window(TestAgent agent) {
        return agent.stored().profile().basis().expectations().window().seconds();
    }

    /** Changes the default and waits until no cache holds the old value. */
    private void configure(int seconds) {
        replace(seconds);
        system.clock().advanceSeconds(60);
    }

    private void replace(int seconds) {
        TestApi api = system.api();
        ObjectNode configuration = (ObjectNode)
                api.get(CONFIGURATION).key(TestSystem.ADMINISTRATOR_KEY).send().json();
        configuration.put("default_window_seconds", seconds);
        assertThat(api.put(CONFIGURATION)
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body(Json.text(configuration))
                        .send()
                        .status())
                .isEqualTo(200);
    }
}
