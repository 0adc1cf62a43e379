package dev.agenthealth.functions.runtime.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.gateway.EndpointRule;
import dev.agenthealth.model.gateway.InvocationFailure;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class AddressCheckTest {

    private static final Endpoint ENDPOINT =
            Endpoint.of("https://agents.example.com/a2a").orElseThrow();

    @Test
    void a_name_that_is_not_resolved_in_time_is_a_timeout_and_not_an_unknown_host() {
        CountDownLatch never = new CountDownLatch(1);
        AddressCheck check = new AddressCheck(new EndpointRule(false), host -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return List.of();
        });
        assertThatThrownBy(() -> check.destination(ENDPOINT, Duration.ofMillis(1)))
                .isInstanceOfSatisfying(CallFailedException.class, e -> assertThat(e.reason())
                        .isEqualTo(InvocationFailure.CONNECT_TIMEOUT));
    }

    @Test
    void a_name_without_an_address_is_an_unknown_host() {
        AddressCheck none = new AddressCheck(new EndpointRule(false), host -> List.of());
        AddressCheck refused = new AddressCheck(new EndpointRule(false), host -> {
            throw new UnknownHostException(host);
        });
        for (AddressCheck check : List.of(none, refused)) {
            assertThatThrownBy(() -> check.destination(ENDPOINT, Duration.ofSeconds(10)))
                    .isInstanceOfSatisfying(CallFailedException.class, e -> assertThat(e.reason())
                            .isEqualTo(InvocationFailure.UNKNOWN_HOST));
        }
    }
}
