package dev.agenthealth.functions.registry.ping;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.registry.ping.PingAddress.LastPing;
import dev.agenthealth.functions.runtime.http.BodyStart;
import java.nio.charset.StandardCharsets;

/** Contents of pings, of any bytes. */
public final class PingMessageFuzzer {

    private PingMessageFuzzer() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String text = PingMessage.of(new BodyStart(input, true, "")).text();
        assertThat(text.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(LastPing.MAX_MESSAGE_BYTES);
    }
}
