package dev.agenthealth.model.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CardAddressTest {

    @ParameterizedTest(name = "{0} names {1}: {2}")
    @CsvSource({
        "https://agents.example/a, https://agents.example/a, true",
        "https://agents.example/a/, https://agents.example/a, true",
        "https://agents.example, https://agents.example/, true",
        "HTTPS://Agents.Example/a, https://agents.example/a, true",
        "https://agents.example/a, HTTPS://AGENTS.example:443/a, true",
        "Http://agents.example:80, http://agents.example, true",
        "http://0.0.0.0:9000/a, http://agents.example:9000/a, true",
        "http://[::]:9000/a, http://10.0.0.5:9000/a, true",
        "http://[0:0:0:0:0:0:0:1]/, http://[::1], true",
        "not a url, not a url, true",
        "https://agents.example/A, https://agents.example/a, false",
        "https://agents.example/b, https://agents.example/a, false",
        "http://agents.example/a, https://agents.example/a, false",
        "https://agents.example:8443/a, https://agents.example/a, false",
        "https://other.example/a, https://agents.example/a, false",
        "http://0.0.0.0:9001/a, http://agents.example:9000/a, false",
        "http://0.0.0.0:9000/b, http://agents.example:9000/a, false",
        "http://0.0.0.0:443/a, https://agents.example/a, false",
        "http://agents.example:9000/a, http://0.0.0.0:9000/a, false",
        "'', https://agents.example/a, false",
        "agents.example/a, https://agents.example/a, false",
    })
    void an_address_names_an_endpoint_whatever_the_case_of_scheme_and_host(
            String address, String endpoint, boolean names) {
        assertThat(CardAddress.names(address, endpoint)).isEqualTo(names);
    }

    @ParameterizedTest
    @CsvSource({
        "http://0.0.0.0:9000/a, https://agents.example/.well-known/agent-card.json, http://agents.example:9000/a",
        "http://[::]/, http://10.0.0.5:8000/card, http://10.0.0.5/",
        "http://0.0.0.0:9000/a, '', http://0.0.0.0:9000/a",
        "HTTP://agents.example/a, https://other.example/card, HTTP://agents.example/a",
    })
    void the_host_of_the_card_takes_the_place_of_the_address_to_which_a_server_binds(
            String address, String card, String called) {
        assertThat(CardAddress.called(address, card)).isEqualTo(called);
    }

    @Test
    void operators_see_few_addresses_without_secrets() {
        assertThat(CardAddress.shown(List.of())).isEqualTo("no address");
        assertThat(CardAddress.shown(List.of("HTTP://A.example/x?token=secret", "http://a.example:80/x")))
                .isEqualTo("http://a.example/x");
        assertThat(CardAddress.shown(List.of("https://user:secret@a.example/", "ftp://b", "http://0.0.0.0:9000")))
                .isEqualTo("an invalid address, http://0.0.0.0:9000/");
        assertThat(CardAddress.shown(List.of("http://a", "http://b", "http://c", "http://d", "http://e")))
                .isEqualTo("http://a/, http://b/, http://c/ and 2 more");
        assertThat(CardAddress.shown(List.of("https://a.example/" + "x".repeat(500))))
                .hasSize(101);
    }
}
