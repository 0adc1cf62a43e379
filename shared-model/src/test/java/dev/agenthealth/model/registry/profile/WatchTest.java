package dev.agenthealth.model.registry.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WatchTest {

    private static final String ENDPOINT = "https://agent.example.com:8443/a2a?x=1";

    private static Watch watch(WatchKind by, String url, Integer... statuses) {
        return new Watch(by, url, 60, 5, List.of(statuses), "");
    }

    @ParameterizedTest
    @CsvSource({
        "199, false, false",
        "200, true,  false",
        "299, true,  false",
        "300, false, false",
        "401, false, true",
        "503, false, true"
    })
    void a_success_is_alive_unless_statuses_are_declared(int status, boolean usual, boolean declared) {
        assertThat(watch(WatchKind.HTTP, "").accepts(status)).isEqualTo(usual);
        assertThat(watch(WatchKind.HTTP, "", 401, 503).accepts(status)).isEqualTo(declared);
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP,         https://agent.example.com:8443/a2a?x=1",
        "MCP,          https://agent.example.com:8443/a2a?x=1",
        "A2A,          https://agent.example.com:8443/.well-known/agent-card.json",
        "AGENT_HEALTH, https://agent.example.com:8443/.well-known/agent-health"
    })
    void the_address_follows_from_the_endpoint_unless_it_is_declared(WatchKind by, String address) {
        assertThat(watch(by, "").address(ENDPOINT)).contains(address);
        assertThat(watch(by, "https://other.example.com/x").address(ENDPOINT)).contains("https://other.example.com/x");
    }

    @ParameterizedTest
    @CsvSource({"''", "/a2a", "mailto:a@example.com", "not a URL"})
    void without_an_endpoint_there_is_no_address(String endpoint) {
        assertThat(watch(WatchKind.A2A, "").address(endpoint)).isEmpty();
        assertThat(watch(WatchKind.HTTP, "").address(endpoint)).isEmpty();
    }

    @Test
    void an_interval_makes_an_agent_watched() {
        assertThat(Watch.NONE.isWatched()).isFalse();
        assertThat(watch(WatchKind.HTTP, "").isWatched()).isTrue();
    }
}
