package dev.agenthealth.functions.runtime.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Server-sent events, as the HTML standard defines them. */
class EventReaderTest {

    private static List<String> read(String stream, int maxEvent, long maxBytes) throws IOException {
        EventReader reader =
                new EventReader(new ByteArrayInputStream(stream.getBytes(StandardCharsets.UTF_8)), maxEvent, maxBytes);
        List<String> events = new ArrayList<>();
        Optional<String> next = reader.next();
        while (next.isPresent()) {
            events.add(next.get());
            next = reader.next();
        }
        return events.stream().filter(event -> !event.isEmpty()).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r", "\r\n"})
    void events_end_with_an_empty_line_of_any_kind(String end) throws IOException {
        String stream = ": comment||data: one||data:two|event: x|id: 7||data: a|data: b||data: ä|".replace("|", end);
        assertThat(read(stream, 100, 1_000)).containsExactly("one", "two", "a\nb", "ä");
    }

    @Test
    void one_byte_order_mark_before_the_first_event_is_no_part_of_it() throws IOException {
        assertThat(read("\ufeffdata: one\n\ndata: \ufefftwo\n\n", 100, 1_000)).containsExactly("one", "\ufefftwo");
        assertThat(read("\ufeff\n: comment\n\ndata: one\n\n", 100, 1_000)).containsExactly("one");
        assertThat(read("\ufeff\ufeffdata: one\n\ndata: two\n\n", 100, 1_000))
                .as("a second mark belongs to the name of a field")
                .containsExactly("two");
        assertThat(read("data: one\n\n\ufeffdata: two\n\ndata: three\n\n", 100, 1_000))
                .containsExactly("one", "three");
    }

    @ParameterizedTest
    @CsvSource({"20, 1000", "1000, 25"})
    void events_and_streams_have_a_maximum(int maxEvent, long maxBytes) throws IOException {
        assertThat(read("data: 123456\n\n", maxEvent, maxBytes)).containsExactly("123456");
        String large = "data: 123456\n" + "data: 123456\n" + "data: 123456\n";
        assertThatThrownBy(() -> read(large, maxEvent, maxBytes)).isInstanceOf(CallFailedException.class);
    }

    @Test
    void a_time_out_loses_nothing() throws IOException {
        byte[] bytes = "data: {\"a\":\r\ndata: 1}\r\n\r\n".getBytes(StandardCharsets.UTF_8);
        InputStream slow = new InputStream() {

            private int calls;

            @Override
            public int read() throws IOException {
                calls++;
                if (calls % 2 == 1) {
                    throw new SocketTimeoutException();
                }
                return calls / 2 <= bytes.length ? bytes[calls / 2 - 1] : -1;
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                int next = read();
                into[offset] = (byte) next;
                return next < 0 ? -1 : 1;
            }
        };
        EventReader reader = new EventReader(slow, 100, 100);
        Optional<String> event = Optional.of("");
        while (event.isPresent() && event.get().isEmpty()) {
            try {
                event = reader.next();
            } catch (SocketTimeoutException e) {
                event = Optional.of("");
            }
        }
        assertThat(event).hasValue("{\"a\":\n1}");
    }
}
