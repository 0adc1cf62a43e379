package dev.agenthealth.functions.runtime.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookSignatureTest {

    private static final Instant ATTEMPT = Instant.ofEpochSecond(1_614_265_330L);
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String OLDER_SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

    @Test
    void the_published_test_vector_of_standard_webhooks_is_signed_as_published() {
        byte[] body = "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8);
        assertThat(WebhookSignature.of("msg_p5jXN8AQM9LWM0D4loKWxJek", ATTEMPT, body, List.of(SECRET)))
                .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    @Test
    void each_secret_signs_so_that_receivers_change_at_their_own_time() {
        byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
        String first = WebhookSignature.of("msg_1", ATTEMPT, body, List.of(SECRET));
        String second = WebhookSignature.of("msg_1", ATTEMPT, body, List.of(OLDER_SECRET));
        assertThat(first).isNotEqualTo(second);
        assertThat(WebhookSignature.of("msg_1", ATTEMPT, body, List.of(SECRET, OLDER_SECRET)))
                .isEqualTo(first + " " + second);
    }

    @ParameterizedTest
    @ValueSource(strings = {"MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_%"})
    void a_secret_of_another_form_is_an_error(String secret) {
        assertThatThrownBy(() -> WebhookSignature.of("msg_1", ATTEMPT, new byte[0], List.of(secret)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
