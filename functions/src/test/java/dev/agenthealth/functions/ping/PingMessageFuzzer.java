package dev.agenthealth.functions.ping;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.http.BodyStart;
import dev.agenthealth.functions.storage.pings.PingAddress.LastPing;
import java.nio.charset.StandardCharsets;

/** Contents of pings, of any bytes. */
public final class PingMessageFuzzer {

    private PingMessageFuzzer() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String text = PingMessage.of(new BodyStart(input, true, "")).text();
        assertThat(text.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(LastPing.MAX_MESSAGE_BYTES);
    }
}
