package dev.agenthealth.functions.operations.administration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.sweep.Sweep;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.operations.configuration.RuntimeSetting;
import dev.agenthealth.model.operations.configuration.RuntimeSetting.WholeNumber;
import dev.agenthealth.model.operations.configuration.RuntimeSettings;
import dev.agenthealth.testkit.TestTables;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The runtime configuration: the default at first, replaced by administrators, applied within a minute. */
@Tag("SYS-02")
class ConfigurationAdministrationTest {

    private static final String CONFIGURATION = "/v1/admin/configuration";
    private static final String VALID =
            """
            {"sweep_passes_per_minute":6,"sweep_fan_out_agents":5000,
             "mass_silence":{"minimum_agents":20,"silent_percent":40,"death_percent_per_minute":5},
             "invocations":{"per_second":5,"burst":50,"max_in_flight":70},"default_window_seconds":3600,
             "max_agents_per_key":500,"max_watched_agents_per_key":50,
             "leases":{"max_per_agent":20,"max_per_key":300,"max_in_all":4000},"public_catalogue":true,
             "card_keys":[{"kty":"EC","crv":"P-256","kid":"k","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
              "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}],
             "metric_roles":["billing"]}
            """;

    @AutoClose
    private final TestSystem system = new TestSystem();

    @Test
    void the_configuration_starts_with_the_defaults() {
        assertHolds(
                get().json(),
                """
                {"sweep_passes_per_minute":1,"sweep_fan_out_agents":200000,
                 "mass_silence":{"minimum_agents":50,"silent_percent":55,"death_percent_per_minute":10},
                 "invocations":{"per_second":10,"burst":20,"max_in_flight":0},"default_window_seconds":86400,
                 "max_agents_per_key":20000,"max_watched_agents_per_key":1000,
                 "leases":{"max_per_agent":1000,"max_per_key":10000,"max_in_all":50000},"public_catalogue":false,"card_keys":[],"metric_roles":[]}
                """);
    }

    /** Requests that lack a setting of a later version set its default. */
    private static void assertHolds(JsonNode configuration, String expected) {
        ObjectNode complete = (ObjectNode) Json.stored(expected);
        for (RuntimeSetting<?> setting : RuntimeSettings.all()) {
            ObjectNode parent = setting.group().isEmpty() ? complete : complete.withObjectProperty(setting.group());
            if (!parent.has(setting.name())) {
                assertThat(setting.description().isRequired())
                        .as(setting.path())
                        .isFalse();
                parent.set(
                        setting.name(),
                        setting instanceof RuntimeSetting.Prices
                                ? NullNode.getInstance()
                                : Json.stored(setting.standard().toString()));
            }
        }
        assertThat(configuration).isEqualTo(complete);
    }

    @Test
    void the_configuration_is_replaced_as_a_whole_and_returned_as_sent() {
        Response replaced = put(VALID);
        assertThat(replaced.status()).isEqualTo(200);
        assertHolds(replaced.json(), VALID);
        assertHolds(get().json(), VALID);
    }

    @Test
    void missing_fields_are_refused() {
        for (String field : List.of(
                "sweep_passes_per_minute",
                "sweep_fan_out_agents",
                "mass_silence",
                "invocations",
                "default_window_seconds",
                "max_agents_per_key",
                "max_watched_agents_per_key",
                "public_catalogue")) {
            assertThat(errors(put(without(field)))).as(field).isNotEmpty().allMatch(error -> error.startsWith(field));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"[null]", "[\"{}\"]", "[7]", "[{}]", "{}", "\"k\""})
    void card_keys_that_are_none_are_refused(String keys) {
        assertThat(errors(put(with("card_keys", keys)))).hasSize(1).allMatch(error -> error.startsWith("card_keys"));
    }

    @Test
    @Tag("SYS-06")
    void fields_missing_in_the_item_have_their_defaults() {
        put(VALID);
        system.dynamoDb().updateItem(r -> r.tableName(TestTables.REGISTRY)
                .key(Map.of("pk", AttributeValue.fromS("SYSTEM"), "sk", AttributeValue.fromS("C")))
                .updateExpression("REMOVE default_window"));
        assertHolds(get().json(), with("default_window_seconds", "86400"));
    }

    @Test
    void limits_of_leases_that_are_left_out_have_their_defaults() {
        assertHolds(put(without("leases")).json(), without("leases"));
        assertThat(put(without("leases")).json().at("/leases/max_per_key").asInt())
                .isEqualTo(10_000);
        String one = with("leases", "{\"max_per_key\":7}");
        assertHolds(put(one).json(), one);
        assertThat(errors(put(with("leases", "{\"max_per_day\":7,\"max_per_agent\":0}"))))
                .containsExactlyInAnyOrder("leases.max_per_day", "leases.max_per_agent");
        assertThat(errors(put(with("leases", "7")))).containsExactly("leases");
    }

    @Test
    void the_sweep_applies_a_change_within_a_minute() {
        Sweep sweep = system.sweep();
        assertThat(sweep.passes(null)).hasSize(1);
        put(VALID);
        system.clock().advanceSeconds(60);
        assertThat(sweep.passes(null)).hasSize(6);
    }

    private static Stream<WholeNumber> numbers() {
        return RuntimeSettings.all().stream()
                .filter(WholeNumber.class::isInstance)
                .map(WholeNumber.class::cast);
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void every_number_has_its_range(WholeNumber setting) {
        String field = setting.path();
        assertThat(put(with(field, String.valueOf(setting.min()))).status()).isEqualTo(200);
        assertThat(put(with(field, String.valueOf(setting.max()))).status()).isEqualTo(200);
        JsonNode before = get().json();
        List<String> wrong = new ArrayList<>(List.of(
                String.valueOf(setting.min() - 1L),
                String.valueOf(setting.max() + 1L),
                "99999999999999999999",
                "1.5",
                "\"1\"",
                "true",
                "[]"));
        if (setting.description().isRequired()) {
            wrong.add("null");
        }
        for (String value : wrong) {
            assertThat(errors(put(with(field, value)))).as(value).containsExactly(field);
        }
        assertThat(get().json()).as("unchanged after the refusal").isEqualTo(before);
    }

    @Test
    void all_invalid_fields_are_reported_together() {
        assertThat(errors(put("{}")))
                .containsExactlyInAnyOrder(
                        "sweep_passes_per_minute",
                        "sweep_fan_out_agents",
                        "mass_silence.minimum_agents",
                        "mass_silence.silent_percent",
                        "mass_silence.death_percent_per_minute",
                        "invocations.per_second",
                        "invocations.burst",
                        "invocations.max_in_flight",
                        "default_window_seconds",
                        "max_agents_per_key",
                        "max_watched_agents_per_key",
                        "public_catalogue");
        assertThat(
                        errors(
                                put(
                                        """
                                        {"sweep_passes_per_minute":"six","sweep_fan_out_agents":5,"sweeps":1,
                                         "mass_silence":{"minimum_agents":0,"silent_percent":null,"death_percent_per_minute":101,
                                           "x":1},"invocations":{"per_second":0,"burst":-1,"x":1},"default_window_seconds":"a day"}
                                        """)))
                .containsExactlyInAnyOrder(
                        "sweep_passes_per_minute",
                        "sweep_fan_out_agents",
                        "sweeps",
                        "mass_silence.minimum_agents",
                        "mass_silence.silent_percent",
                        "mass_silence.death_percent_per_minute",
                        "mass_silence.x",
                        "invocations.per_second",
                        "invocations.burst",
                        "invocations.x",
                        "invocations.max_in_flight",
                        "default_window_seconds",
                        "max_agents_per_key",
                        "max_watched_agents_per_key",
                        "public_catalogue");
        assertThat(errors(put("{\"mass_silence\":7}"))).contains("mass_silence");
        assertThat(put("[]").status()).isEqualTo(400);
    }

    private static String with(String field, String value) {
        ObjectNode json = (ObjectNode) Json.stored(VALID);
        int dot = field.indexOf('.');
        ObjectNode parent = dot < 0 ? json : json.withObjectProperty(field.substring(0, dot));
        parent.set(field.substring(dot + 1), Json.stored(value));
        return Json.text(json);
    }

    private static String without(String field) {
        ObjectNode json = (ObjectNode) Json.stored(VALID);
        json.remove(field);
        return Json.text(json);
    }

    private Response get() {
        return system.api().get(CONFIGURATION).key(TestSystem.ADMINISTRATOR_KEY).send();
    }

    private Response put(String body) {
        return put(system.api(), body);
    }

    private static Response put(TestApi api, String body) {
        return api.put(CONFIGURATION)
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body(body)
                .send();
    }

    private static List<String> errors(Response response) {
        assertThat(response.status()).as(response.text()).isEqualTo(400);
        return response.json().path("errors").findValuesAsText("field");
    }
}
