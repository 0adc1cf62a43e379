package dev.agenthealth.local;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalStackTest {

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, http://localhost:80",
        "localhost, http://localhost:80",
        "0.0.0.0, http://localhost:80",
        "::1, http://localhost:80",
        "192.0.2.1, http://192.0.2.1:80",
        "2001:db8::1, http://[2001:db8::1]:80"
    })
    void the_base_url_is_one_that_works(String host, String url) {
        assertThat(LocalStack.baseUrl(host, 80)).isEqualTo(url);
    }
}
