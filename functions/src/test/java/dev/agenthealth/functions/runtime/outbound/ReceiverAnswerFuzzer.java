package dev.agenthealth.functions.runtime.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.runtime.outbound.HttpSender.Refusals;
import dev.agenthealth.model.operations.notification.DeliveryAttempts;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** What is read of the answers of receivers: the status, and how long to wait ({@code Retry-After}); each input is that of a header. */
public final class ReceiverAnswerFuzzer {

    private static final List<Instant> TIMES =
            List.of(Instant.EPOCH, Instant.parse("2026-02-08T10:00:00Z"), Instant.parse("9999-12-31T23:59:59.999Z"));

    private ReceiverAnswerFuzzer() {}

    public static void fuzzerTestOneInput(byte[] input) {
        // As the bytes of a header are read.
        String header = new String(input, StandardCharsets.ISO_8859_1);
        for (Instant now : TIMES) {
            for (Refusals refusals : Refusals.values()) {
                for (int code : List.of(200, 302, 400, 410, 425, 429, 503, 599, 999)) {
                    Delivery delivery = HttpSender.of(new HttpStatus(code, header), now, refusals);
                    if (delivery instanceof Delivery.Retry retry) {
                        assertThat(retry.after()).isGreaterThanOrEqualTo(Duration.ZERO);
                        assertThat(new DeliveryAttempts(0, now).nextAfter(now, retry.after()))
                                .hasValueSatisfying(next ->
                                        assertThat(next).isBetween(now.plusSeconds(10), now.plus(Duration.ofHours(1))));
                    }
                }
            }
        }
    }
}
