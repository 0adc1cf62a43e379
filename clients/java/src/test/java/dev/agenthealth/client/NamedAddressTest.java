package dev.agenthealth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The key stays with the registry: the addresses that all clients may use or not, as data. */
class NamedAddressTest {

    static Stream<JsonNode> addresses() throws IOException {
        Path file = Path.of("..", "scenarios", "addresses", "heartbeat-url.json");
        return new ObjectMapper().readTree(file.toFile()).valueStream();
    }

    @ParameterizedTest
    @MethodSource("addresses")
    void heartbeats_go_to_another_address_only_where_the_key_may_go(JsonNode address) {
        String registry = address.path("registry").asText();
        String named = address.path("named").asText().replace("{agent}", "a");
        FakeRegistry answers = new FakeRegistry();
        answers.add("/agents", "'heartbeat_url':'" + named + "'");
        AgentHealthClientBuilder client = AgentHealthClient.builder(registry)
                .apiKey("secret")
                .transport(answers)
                .scheduler(answers.scheduler)
                .clock(answers.clock)
                .drainOnShutdown(false);
        client.build().agent(Registration.of("a").instance("")).start();

        answers.scheduler.advance(Duration.ofSeconds(30));

        assertThat(answers.sent.get(1).url())
                .as(address.path("says").asText())
                .isEqualTo(address.path("used").asBoolean() ? named : registry + "/api/v1/agents/a/heartbeat");
    }

    @ParameterizedTest
    @EnumSource(value = HttpClient.Redirect.class, names = "NEVER", mode = EnumSource.Mode.EXCLUDE)
    void an_http_client_that_follows_redirects_is_refused(HttpClient.Redirect redirect) {
        HttpClient http = HttpClient.newBuilder().followRedirects(redirect).build();
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        AgentHealthClient.builder("https://registry.example").httpClient(http))
                .withMessageContaining("redirects");
    }
}
