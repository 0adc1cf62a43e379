package dev.agenthealth.emulator.apigateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PercentEncodingTest {

    @ParameterizedTest
    @CsvSource({"a,a", "a%2Fb,a/b", "a%2fb,a/b", "a%252Fb,a%2Fb", "%C3%BC,ü", "a+b,a+b", "%25,%", "%F0%9F%98%80,😀"})
    void decodes_paths_once(String encoded, String decoded) throws MalformedRequestException {
        assertThat(PercentEncoding.decodePath(encoded)).isEqualTo(decoded);
    }

    @Test
    void a_plus_is_a_space_in_queries_only() throws MalformedRequestException {
        assertThat(PercentEncoding.decodeQuery("a+b%2B")).isEqualTo("a b+");
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "%1", "%zz", "%+1", "%-1", "%FF", "%C3", "%C0%AF", "%ED%A0%80", "a b", "ü", "%１１"})
    void refuses_what_is_not_percent_encoded_utf8(String encoded) {
        assertThatThrownBy(() -> PercentEncoding.decodePath(encoded)).isInstanceOf(MalformedRequestException.class);
    }
}
