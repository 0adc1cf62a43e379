package dev.agenthealth.emulator.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RawRequestTest {

    private static String caller(Map<String, List<String>> headers) {
        return new RawRequest("GET", "/", "", headers, new byte[0], "HTTP/1.1", "192.0.2.7").caller();
    }

    @Test
    void a_key_is_one_caller_in_whatever_header_and_form_it_comes() {
        assertThat(caller(Map.of("X-API-Key", List.of("k"))))
                .isEqualTo(caller(Map.of("Authorization", List.of("Bearer k"))))
                .isEqualTo(caller(Map.of("authorization", List.of("bearer  k"))))
                .isEqualTo(caller(Map.of("x-api-key", List.of("k"), "Authorization", List.of("Bearer other"))))
                .isEqualTo("k");
    }

    @Test
    void a_request_without_a_key_is_its_address() {
        assertThat(caller(Map.of())).isEqualTo("192.0.2.7");
        assertThat(caller(Map.of("Authorization", List.of("Basic a"))))
                .as("no key of the registry")
                .isEqualTo("192.0.2.7");
        assertThat(caller(Map.of("X-API-Key", List.of(" "), "Authorization", List.of("Bearer k"))))
                .as("the registry reads the first header, and refuses it")
                .isEqualTo("192.0.2.7");
    }
}
