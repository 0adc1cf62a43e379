package dev.agenthealth.emulator.apigateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import dev.agenthealth.emulator.http.RawRequest;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GatewayEventsTest {

    private final GatewayEvents events =
            new GatewayEvents(Clock.fixed(Instant.parse("2026-02-08T10:00:00.123Z"), ZoneOffset.UTC));

    private APIGatewayV2HTTPEvent event(RawRequest request, Map<String, String> rawParameters)
            throws MalformedRequestException {
        return events.event(request, new RouteTable.Match<>("POST /a/{id}", "target", rawParameters));
    }

    private static RawRequest request(String path, String query, Map<String, List<String>> headers, byte[] body) {
        return new RawRequest("POST", path, query, headers, body, "HTTP/1.1", "192.0.2.7");
    }

    private APIGatewayV2HTTPEvent eventWithBody(byte[] body, Map<String, List<String>> headers)
            throws MalformedRequestException {
        return event(request("/a/b", "", headers, body), Map.of());
    }

    @Test
    void describes_the_request() throws MalformedRequestException {
        Map<String, List<String>> headers =
                Map.of("Host", List.of("api.example.com:8080"), "User-agent", List.of("test/1"));
        APIGatewayV2HTTPEvent event = event(request("/a/x%20y", "q=1", headers, new byte[0]), Map.of("id", "x%20y"));
        assertThat(event.getVersion()).isEqualTo("2.0");
        assertThat(event.getRouteKey()).isEqualTo("POST /a/{id}");
        assertThat(event.getRawPath()).isEqualTo("/a/x y");
        assertThat(event.getRawQueryString()).isEqualTo("q=1");
        assertThat(event.getPathParameters()).isEqualTo(Map.of("id", "x y"));
        assertThat(event.getBody()).isNull();
        assertThat(event.getIsBase64Encoded()).isFalse();
        assertThat(event.getCookies()).isNull();
        APIGatewayV2HTTPEvent.RequestContext context = event.getRequestContext();
        assertThat(context.getRouteKey()).isEqualTo("POST /a/{id}");
        assertThat(context.getStage()).isEqualTo("$default");
        assertThat(context.getDomainName()).isEqualTo("api.example.com");
        assertThat(context.getDomainPrefix()).isEqualTo("api");
        assertThat(context.getRequestId()).isNotBlank();
        assertThat(context.getTime()).isEqualTo("08/Feb/2026:10:00:00 +0000");
        assertThat(context.getTimeEpoch()).isEqualTo(1770544800123L);
        assertThat(context.getHttp().getMethod()).isEqualTo("POST");
        assertThat(context.getHttp().getPath()).isEqualTo("/a/x y");
        assertThat(context.getHttp().getProtocol()).isEqualTo("HTTP/1.1");
        assertThat(context.getHttp().getSourceIp()).isEqualTo("192.0.2.7");
        assertThat(context.getHttp().getUserAgent()).isEqualTo("test/1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"~", "a b", "<script>", "[::1]:8080", "a/b", "ü.example.com", ""})
    void the_domain_is_a_name_whatever_the_caller_sends_as_host(String host) throws MalformedRequestException {
        APIGatewayV2HTTPEvent event = eventWithBody(new byte[0], Map.of("Host", List.of(host)));
        assertThat(event.getRequestContext().getDomainName()).isEqualTo("localhost");
        assertThat(event.getHeaders()).containsEntry("host", host);
    }

    @Test
    void headers_are_lower_case_and_joined() throws MalformedRequestException {
        APIGatewayV2HTTPEvent event = eventWithBody(
                new byte[0],
                Map.of("X-Many", List.of("1", "2"), "x-many", List.of("3"), "Cookie", List.of("a=1; b=2", "c=3")));
        assertThat(event.getHeaders()).containsOnlyKeys("x-many");
        assertThat(event.getHeaders().get("x-many").split(",")).containsExactlyInAnyOrder("1", "2", "3");
        assertThat(event.getCookies()).containsExactly("a=1", "b=2", "c=3");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            textBlock =
                    """
                    ''                  | none
                    a=1&b=2             | {a=1, b=2}
                    a=1&a=2&a=3         | {a=1,2,3}
                    a=1%2C2             | {a=1,2}
                    a                   | {a=}
                    a=                  | {a=}
                    a=b=c               | {a=b=c}
                    &&a=1&              | {a=1}
                    a=x+y%2B            | {a=x y+}
                    a=%2525             | {a=%25}
                    %61=%C3%BC          | {a=ü}
                    next_token=a%2Fb%3D | {next_token=a/b=}
                    """)
    void query_parameters_are_decoded_once_and_joined(String query, String expected) throws MalformedRequestException {
        Map<String, String> parameters =
                event(request("/a/b", query, Map.of(), new byte[0]), Map.of()).getQueryStringParameters();
        assertThat(parameters == null ? null : parameters.toString()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=%", "a=%zz", "%FF=1", "a=%C3%28"})
    void a_query_that_cannot_be_decoded_is_malformed(String query) {
        assertThatThrownBy(() -> event(request("/a/b", query, Map.of(), new byte[0]), Map.of()))
                .isInstanceOf(MalformedRequestException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "application/json, false",
        "application/json; charset=utf-8, false",
        "TEXT/PLAIN, false",
        "text/csv, false",
        "application/x-www-form-urlencoded, true",
        "application/octet-stream, true",
        "'', true"
    })
    void bodies_that_are_not_text_are_in_base64(String contentType, boolean base64) throws MalformedRequestException {
        APIGatewayV2HTTPEvent event = eventWithBody(
                "{\"a\":\"ü\"}".getBytes(StandardCharsets.UTF_8), Map.of("Content-type", List.of(contentType)));
        assertThat(event.getIsBase64Encoded()).isEqualTo(base64);
        assertThat(event.getBody()).isEqualTo(base64 ? "eyJhIjoiw7wifQ==" : "{\"a\":\"ü\"}");
    }

    @Test
    void text_that_is_not_utf8_or_is_compressed_is_in_base64() throws MalformedRequestException {
        Map<String, List<String>> json = Map.of("Content-type", List.of("application/json"));
        assertThat(eventWithBody(new byte[] {(byte) 0xff}, json).getIsBase64Encoded())
                .isTrue();
        Map<String, List<String>> compressed =
                Map.of("Content-type", List.of("application/json"), "Content-encoding", List.of("gzip"));
        assertThat(eventWithBody(new byte[] {'x'}, compressed).getIsBase64Encoded())
                .isTrue();
    }
}
