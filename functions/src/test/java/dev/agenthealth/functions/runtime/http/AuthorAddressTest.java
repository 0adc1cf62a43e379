package dev.agenthealth.functions.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent.RequestContext;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Role;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The address in the audit log is the peer's, or what a trusted proxy saw: never what the caller says. */
class AuthorAddressTest {

    @ParameterizedTest
    @CsvSource({
        "false, '', 203.0.113.7",
        "false, 198.51.100.1, 203.0.113.7",
        "true, '', 203.0.113.7",
        "true, 198.51.100.1, 198.51.100.1",
        "true, '198.51.100.1, 203.0.113.7', 198.51.100.1",
        "true, 'forged, 198.51.100.1, 203.0.113.7', 198.51.100.1",
        "true, 'forged, 198.51.100.1', 198.51.100.1",
        "true, 203.0.113.7, 203.0.113.7",
        "true, 2001:db8::1, 2001:db8::1",
    })
    void the_address_is_the_last_one_that_is_not_the_proxy(boolean proxied, String forwarded, String expected) {
        ApiRequest request = request(forwarded);
        request.identify(Caller.ofKey("key", "", Role.AGENT, Set.of(), KeyHash.NONE));
        if (proxied) {
            request.forwardedFrom("https://agents.example");
        }
        assertThat(request.author().address()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {",", ",,", " , ", ",203.0.113.7", "203.0.113.7,"})
    void a_header_with_empty_addresses_fails_no_request(String forwarded) {
        ApiRequest request = request(forwarded);
        assertThat(request.address()).isEqualTo("203.0.113.7");
        request.forwardedFrom("https://agents.example");
        assertThat(request.address()).isEqualTo("203.0.113.7");
    }

    private static ApiRequest request(String forwarded) {
        return new ApiRequest(APIGatewayV2HTTPEvent.builder()
                .withHeaders(Map.of("x-forwarded-for", forwarded))
                .withRequestContext(RequestContext.builder()
                        .withHttp(RequestContext.Http.builder()
                                .withSourceIp("203.0.113.7")
                                .build())
                        .build())
                .build());
    }
}
