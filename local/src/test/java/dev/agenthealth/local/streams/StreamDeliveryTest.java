package dev.agenthealth.local.streams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.testing.TestTemplate;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** From a written item through the stream and a function to the bus; batches have 4 records, and 2 retries. */
class StreamDeliveryTest {

    private final ByteArrayOutputStream log = new ByteArrayOutputStream();

    @AutoClose
    private LocalSystem system;

    @BeforeEach
    void start() throws IOException {
        system = LocalSystem.start(TestTemplate.byHand().out(new PrintStream(log, true, StandardCharsets.UTF_8)));
    }

    private void write(String key, String... flags) {
        Map<String, AttributeValue> item = new HashMap<>(Map.of("pk", AttributeValue.fromS(key)));
        for (String flag : flags) {
            item.put(flag, AttributeValue.fromBool(true));
        }
        system.dynamoDb()
                .putItem(request -> request.tableName(TestTemplate.TABLE).item(item));
    }

    private void endTrouble() {
        system.dynamoDb().deleteItem(request -> request.tableName(TestTemplate.TABLE)
                .key(Map.of("pk", AttributeValue.fromS("trouble"))));
    }

    private List<String> published() {
        return system.matchedEvents().stream()
                .map(event -> event.path("detail").path("key").asText())
                .toList();
    }

    private List<String> deadLetters() {
        return system.deadLetters().stream()
                .map(message -> message.event()
                        .path("dynamodb")
                        .path("NewImage")
                        .path("pk")
                        .path("S")
                        .asText())
                .toList();
    }

    @Test
    void only_records_that_the_filter_takes_wake_the_function() {
        write("E#1");
        write("other");
        write("E#2");
        write("E#2");
        assertThat(system.drainStreams()).isEqualTo(2);
        assertThat(published()).containsExactly("E#1", "E#2");
        assertThat(system.drainStreams()).isZero();
    }

    @Test
    void a_reported_failure_is_tried_again_from_the_failed_record_on() {
        write("trouble");
        write("E#1");
        write("E#2", "fail");
        write("E#3");
        assertThat(system.drainStreams()).isEqualTo(1);
        assertThat(published()).containsExactly("E#1");
        endTrouble();
        assertThat(system.drainStreams()).isEqualTo(2);
        assertThat(published()).containsExactly("E#1", "E#2", "E#3");
    }

    @Test
    void a_failure_delays_later_records_until_it_is_a_dead_letter() {
        write("trouble");
        write("E#1", "fail");
        for (int i = 2; i <= 6; i++) {
            write("E#" + i);
        }
        assertThat(system.drainStreams()).isZero();
        assertThat(system.drainStreams()).isZero();
        assertThat(deadLetters()).isEmpty();
        assertThat(system.drainStreams()).isEqualTo(2);
        assertThat(deadLetters())
                .as("a batch of four records that the filter takes")
                .containsExactly("E#1", "E#2", "E#3", "E#4");
        assertThat(published()).containsExactly("E#5", "E#6");
        assertThat(log.toString(StandardCharsets.UTF_8)).contains("stream_records_given_up");
    }

    @Test
    void a_batch_on_which_the_function_fails_is_split_until_the_culprit_is_alone() {
        write("trouble");
        write("E#1");
        write("E#2");
        write("E#3", "throw");
        write("E#4");
        assertThat(system.drainStreams()).isEqualTo(2);
        assertThat(published()).containsExactly("E#1", "E#2");
        system.drainStreams();
        assertThat(system.drainStreams()).isEqualTo(1);
        assertThat(deadLetters()).containsExactly("E#3");
        assertThat(published()).containsExactly("E#1", "E#2", "E#4");
        assertThat(system.deadLetters().get(0).reason()).isEqualTo("failed 3 times");
        assertThat(system.deadLetters().get(0).functionName()).isEqualTo("StreamFunction");
    }

    @Test
    void a_matched_event_is_one_line_of_its_log_group() {
        write("E#1");
        system.drainStreams();
        assertThat(log.toString(StandardCharsets.UTF_8))
                .containsOnlyOnce("[/test/events] {\"version\":\"0\"")
                .contains(
                        """
                        "detail":{"key":"E#1","color":"red"}}\n\
                        """);
    }
}
