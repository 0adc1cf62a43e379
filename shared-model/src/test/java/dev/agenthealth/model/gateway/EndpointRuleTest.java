package dev.agenthealth.model.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.model.address.IpAddress;
import dev.agenthealth.model.gateway.EndpointRule.Verdict;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndpointRuleTest {

    private static Endpoint endpoint(String url) {
        return Endpoint.of(url).orElseThrow();
    }

    @ParameterizedTest(name = "{1}, loopback {0}")
    @CsvSource({
        "false, https://agent.example.com, ALLOWED",
        "false, http://agent.example.com,  INSECURE",
        "false, https://93.184.216.34,     ALLOWED",
        "false, http://93.184.216.34,      INSECURE",
        "false, https://10.0.0.1,          FORBIDDEN",
        "false, https://127.0.0.1,         FORBIDDEN",
        "true,  http://agent.example.com,  ALLOWED",
        "true,  http://127.0.0.1,          ALLOWED",
        "true,  https://127.0.0.1,         ALLOWED",
        "true,  http://93.184.216.34,      INSECURE",
        "true,  https://10.0.0.1,          FORBIDDEN",
        "true,  http://10.0.0.1,           INSECURE"
    })
    void before_names_are_resolved(boolean loopback, String url, Verdict verdict) {
        assertThat(new EndpointRule(loopback).judge(endpoint(url))).isEqualTo(verdict);
    }

    @ParameterizedTest(name = "{1} at {2}, loopback {0}")
    @CsvSource({
        "false, https://a.example.com, 93.184.216.34,           ALLOWED",
        "false, https://a.example.com, 93.184.216.34 1.1.1.1,   ALLOWED",
        "false, https://a.example.com, 93.184.216.34 10.0.0.1,  FORBIDDEN",
        "false, https://a.example.com, 127.0.0.1,               FORBIDDEN",
        "false, http://a.example.com,  93.184.216.34,           INSECURE",
        "true,  http://a.example.com,  127.0.0.1,               ALLOWED",
        "true,  http://a.example.com,  127.0.0.1 93.184.216.34, INSECURE",
        "true,  https://a.example.com, 127.0.0.1 93.184.216.34, FORBIDDEN",
        "true,  https://a.example.com, 93.184.216.34,           ALLOWED"
    })
    void one_address_that_is_not_allowed_forbids_all(boolean loopback, String url, String addresses, Verdict verdict) {
        List<IpAddress> resolved = Stream.of(addresses.split(" "))
                .map(address -> IpAddress.ofIpv4(address).orElseThrow())
                .toList();
        assertThat(new EndpointRule(loopback).judge(endpoint(url), resolved)).isEqualTo(verdict);
    }

    @Test
    void a_host_has_an_address() {
        assertThatThrownBy(() -> new EndpointRule(true).judge(endpoint("https://a.example.com"), List.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
