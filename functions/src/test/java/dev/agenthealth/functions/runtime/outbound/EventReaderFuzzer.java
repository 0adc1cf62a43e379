package dev.agenthealth.functions.runtime.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Streams of server-sent events, whatever the sizes of their chunks. */
public final class EventReaderFuzzer {

    private static final int MAX_EVENT = 200;

    private static List<String> events(byte[] input, int chunk) throws IOException {
        ByteArrayInputStream in = new ByteArrayInputStream(input) {

            @Override
            public synchronized int read(byte[] into, int from, int length) {
                return super.read(into, from, Math.min(length, Math.max(1, chunk)));
            }
        };
        EventReader reader = new EventReader(in, MAX_EVENT, 2_000);
        List<String> events = new ArrayList<>();
        try {
            for (Optional<String> next = reader.next(); next.isPresent(); next = reader.next()) {
                events.add(next.get());
            }
        } catch (CallFailedException tooLarge) {
            events.add("too large");
        }
        return events;
    }

    private EventReaderFuzzer() {}

    public static void fuzzerTestOneInput(byte[] input) throws IOException {
        List<String> whole = events(input, input.length);
        assertThat(events(input, 1)).isEqualTo(whole);
        assertThat(whole).allSatisfy(event -> assertThat(event.length()).isLessThanOrEqualTo(MAX_EVENT));
    }
}
