package dev.agenthealth.model.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.model.address.IpAddress;
import dev.agenthealth.model.gateway.Endpoint.Host;
import dev.agenthealth.model.registry.profile.A2aProtocol;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Endpoints are taken apart in the only way in which they can be. */
@Tag("SN-07")
class EndpointTest {

    @ParameterizedTest
    @CsvSource({
        "https://agent.example.com, agent.example.com, 443, /, agent.example.com",
        "https://agent.example.com/, agent.example.com, 443, /, agent.example.com",
        "https://Agent.Example.com:443/A2A, agent.example.com, 443, /A2A, agent.example.com",
        "https://agent.example.com:8443?x=%20y, agent.example.com, 8443, /?x=%20y, agent.example.com:8443",
        "https://agent.example.com/a/../b//c;d=e?f=g?h/i, agent.example.com, 443, /a/../b//c;d=e?f=g?h/i, agent.example.com",
        "http://localhost:3000/a2a, localhost, 3000, /a2a, localhost:3000",
        "http://localhost, localhost, 80, /, localhost",
        "http://localhost:443, localhost, 443, /, localhost:443",
        "https://93.184.215.14:65535/, 93.184.215.14, 65535, /, 93.184.215.14:65535",
        "https://[2606:4700::1111]/, [2606:4700::1111], 443, /, [2606:4700::1111]",
        "https://1password.example/, 1password.example, 443, /, 1password.example",
        "https://a-b.c--d.example/, a-b.c--d.example, 443, /, a-b.c--d.example"
    })
    void what_is_called_is_what_is_written(String text, String host, int port, String target, String authority) {
        Endpoint endpoint = Endpoint.of(text).orElseThrow();
        assertThat(endpoint.secure()).isEqualTo(text.startsWith("https"));
        assertThat(endpoint.host().text()).isEqualTo(host);
        assertThat(endpoint.port()).isEqualTo(port);
        assertThat(endpoint.target()).isEqualTo(target);
        assertThat(endpoint.authority()).isEqualTo(authority);
    }

    @Test
    void a_name_is_to_be_resolved_and_an_address_is_not() {
        assertThat(Endpoint.of("https://agent.example").orElseThrow().host()).isEqualTo(new Host.Name("agent.example"));
        assertThat(Endpoint.of("https://93.184.215.14").orElseThrow().host())
                .isEqualTo(
                        new Host.Literal("93.184.215.14", IpAddress.of(new byte[] {93, (byte) 184, (byte) 215, 14})));
    }

    @Test
    void lengths_are_limited() {
        String label = "a".repeat(63);
        String longest = String.join(".", label, label, label, "a".repeat(61));
        assertThat(longest).hasSize(253);
        assertThat(Endpoint.of("https://" + longest)).isPresent();
        assertThat(Endpoint.of("https://a" + longest)).isEmpty();
        assertThat(Endpoint.of("https://" + "a".repeat(64) + ".example")).isEmpty();
        assertThat(Endpoint.of("https://a.example/" + "a".repeat(2_048 - 18))).isPresent();
        assertThat(Endpoint.of("https://a.example/" + "a".repeat(2_048 - 17))).isEmpty();
    }

    @Test
    void a_host_without_an_address_is_not_judged() {
        Endpoint endpoint = Endpoint.of("https://a.example").orElseThrow();
        assertThatThrownBy(() -> new EndpointRule(false).judge(endpoint, List.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "https://a.example, '', /x:y",
        "https://a.example/, '', /x:y",
        "https://a.example/b, q=1, /b/x:y?q=1",
        "https://a.example/b/, '', /b/x:y",
        "https://a.example/b/?t=1&u, '', /b/x:y?t=1&u",
        "https://a.example/b?t=%2F, q=%20, /b/x:y?t=%2F&q=%20",
        "https://a.example?t=1, q=1, /x:y?t=1&q=1",
        "https://a.example/b?, q=1, /b/x:y?q=1",
        "https://a.example//b//, '', //b//x:y"
    })
    void a_path_goes_on_below_an_endpoint_and_its_query_stays(String text, String query, String target) {
        Endpoint endpoint = Endpoint.of(text).orElseThrow();
        Endpoint below = endpoint.below("/x:y", query);
        assertThat(below.target()).isEqualTo(target);
        assertThat(below.authority()).isEqualTo(endpoint.authority());
        assertThat(below.secure()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "https://a.test/p, true",
        "https://a.test:443/p?x=1, true",
        "https://a.test/p/, true",
        "https://a.test/p/q, true",
        "https://a.test/p2, false",
        "https://a.test/, false",
        "https://a.test/P, false",
        "http://a.test/p, false",
        "https://a.test:8443/p, false",
        "https://b.test/p, false",
        "https://a.test/p/../q, false",
        "https://a.test/p/%2E%2e/q, false",
        "https://a.test/p/.%2e%2fq, false",
        "https://a.test/p/%252e%252e/q, false",
    })
    void an_endpoint_is_at_or_below_another_by_whole_segments_of_its_path(String text, boolean below) {
        Endpoint base = Endpoint.of("https://a.test/p?y=2").orElseThrow();
        assertThat(Endpoint.of(text).orElseThrow().isAtOrBelow(base)).isEqualTo(below);
        assertThat(Endpoint.of("https://a.test/p/r/s")
                        .orElseThrow()
                        .isAtOrBelow(Endpoint.of("https://a.test").orElseThrow()))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({"0, false", "4, false", "5, true", "6, true"})
    void an_agent_is_unresponsive_from_its_fifth_timeout_in_a_row(int timeouts, boolean unresponsive) {
        assertThat(new ConnectionState(A2aProtocol.DEFAULT, timeouts).isUnresponsive())
                .isEqualTo(unresponsive);
    }
}
