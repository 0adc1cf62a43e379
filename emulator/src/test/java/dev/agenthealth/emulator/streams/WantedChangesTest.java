package dev.agenthealth.emulator.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import dev.agenthealth.emulator.deadletters.DeadLetters;
import dev.agenthealth.emulator.dynamodb.EmulatedTables;
import dev.agenthealth.emulator.support.EmulatorLog;
import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.StreamMapping;
import dev.agenthealth.template.Template;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Records that a stream leaves out because no mapping takes them. */
class WantedChangesTest {

    private static final String EVENTS =
            "{\"eventName\":[\"INSERT\"],\"dynamodb\":{\"Keys\":{\"pk\":{\"S\":[{\"prefix\":\"E#\"}]}}}}";

    private static final List<String> KEYS = List.of("E#1", "E#2", "E", "e#1", "A#1", "INSERT");

    @Test
    void the_stream_has_only_changes_that_the_patterns_may_take() {
        try (EmulatedTables tables = tables()) {
            tables.filterStreams(new WantedChanges(List.of(mapping(EVENTS))));
            put(tables, "A#1", 0);
            put(tables, "E#1", 0);
            put(tables, "E#1", 1);
            remove(tables, "E#1");
            assertThat(delivered(tables)).containsExactly("INSERT E#1 0");
        }
    }

    @Test
    void the_stream_has_the_changes_of_every_mapping() {
        try (EmulatedTables tables = tables()) {
            tables.filterStreams(new WantedChanges(
                    List.of(mapping(EVENTS), mapping("{\"eventName\":[\"REMOVE\"]}", "{\"eventName\":[\"MODIFY\"]}"))));
            put(tables, "A#1", 0);
            put(tables, "A#1", 1);
            put(tables, "E#1", 0);
            remove(tables, "A#1");
            assertThat(delivered(tables)).containsExactly("MODIFY A#1 1", "INSERT E#1 0", "REMOVE A#1");
        }
    }

    @Test
    void a_table_keeps_all_changes_if_a_mapping_has_no_patterns_or_the_table_has_no_mapping() {
        StreamMapping other = new StreamMapping(
                "Others",
                "OtherTable",
                "TRIM_HORIZON",
                List.of(EVENTS),
                1,
                false,
                new StreamMapping.Retries(-1, Duration.ZERO, false, ""));
        for (List<StreamMapping> mappings : List.of(List.of(mapping(EVENTS), mapping()), List.of(other))) {
            try (EmulatedTables tables = tables()) {
                tables.filterStreams(new WantedChanges(mappings));
                put(tables, "A#1", 0);
                assertThat(delivered(tables)).containsExactly("INSERT A#1 0");
            }
        }
    }

    static Stream<String> patterns() {
        return Stream.of(
                EVENTS,
                "{\"eventName\":[\"INSERT\",\"REMOVE\"]}",
                "{\"eventName\":[{\"prefix\":\"M\"}]}",
                "{\"eventName\":[{\"anything-but\":[\"INSERT\"]}]}",
                "{\"eventName\":[{\"anything-but\":{\"prefix\":\"IN\"}},\"INSERT\"]}",
                "{\"eventName\":[{\"exists\":false}]}",
                "{\"eventName\":[{\"equals-ignore-case\":\"insert\"}]}",
                "{\"dynamodb\":{\"Keys\":{\"pk\":{\"S\":[{\"suffix\":\"#1\"}]}}}}",
                "{\"dynamodb\":{\"Keys\":{\"pk\":{\"S\":[{\"prefix\":{\"equals-ignore-case\":\"e#\"}}]}}}}",
                "{\"dynamodb\":{\"Keys\":{\"pk\":{\"S\":[\"E\",{\"prefix\":\"A\"}]}}}}",
                "{\"dynamodb\":{\"Keys\":{\"pk\":{\"S\":[\"E\",null]}}}}",
                "{\"dynamodb\":{\"Keys\":{\"pk\":{\"N\":[\"1\"]}}}}",
                "{\"dynamodb\":{\"Keys\":{\"sk\":{\"S\":[{\"exists\":false}]}}}}",
                "{\"dynamodb\":{\"Keys\":{\"$or\":[{\"pk\":{\"S\":[\"E\"]}},{\"pk\":{\"S\":[\"A#1\"]}}]}}}",
                "{\"$or\":[{\"eventName\":[\"REMOVE\"]},{\"dynamodb\":{\"Keys\":{\"pk\":{\"S\":[\"E\"]}}}}]}",
                "{\"dynamodb\":{\"NewImage\":{\"n\":{\"N\":[\"1\"]}}},\"eventName\":[\"MODIFY\"]}");
    }

    @ParameterizedTest
    @MethodSource("patterns")
    void a_mapping_gets_the_same_records_from_a_stream_that_leaves_others_out(String pattern) {
        try (EmulatedTables all = tables();
                EmulatedTables wanted = tables()) {
            wanted.filterStreams(new WantedChanges(List.of(mapping(pattern))));
            change(all);
            change(wanted);
            assertThat(delivered(wanted, pattern)).isEqualTo(delivered(all, pattern));
        }
    }

    @Test
    void a_pattern_that_is_not_json_is_refused() {
        assertThatThrownBy(() -> new WantedChanges(List.of(mapping("{"))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("filter pattern {: ");
    }

    private static EmulatedTables tables() {
        return EmulatedTables.temporary(Template.parse(TableStreamTest.TEMPLATE, "test template")
                .stack(Resolution.local())
                .tables());
    }

    private static StreamMapping mapping(String... patterns) {
        return new StreamMapping(
                "Records",
                TableStreamTest.TABLE,
                "TRIM_HORIZON",
                Arrays.asList(patterns),
                10,
                false,
                new StreamMapping.Retries(-1, Duration.ZERO, false, ""));
    }

    /** Makes the same random changes in each database. */
    private static void change(EmulatedTables tables) {
        Random random = new Random(7);
        for (int i = 0; i < 60; i++) {
            String key = KEYS.get(random.nextInt(KEYS.size()));
            if (random.nextInt(3) == 0) {
                remove(tables, key);
            } else {
                put(tables, key, random.nextInt(3));
            }
        }
    }

    private static void put(EmulatedTables tables, String key, int number) {
        tables.client().putItem(request -> request.tableName(TableStreamTest.TABLE)
                .item(Map.of("pk", AttributeValue.fromS(key), "n", AttributeValue.fromN(Integer.toString(number)))));
    }

    private static void remove(EmulatedTables tables, String key) {
        tables.client().deleteItem(request -> request.tableName(TableStreamTest.TABLE)
                .key(Map.of("pk", AttributeValue.fromS(key))));
    }

    /** Returns the records that a mapping with the patterns gets; without patterns, all records of the stream. */
    private static List<String> delivered(EmulatedTables tables, String... patterns) {
        List<String> delivered = new ArrayList<>();
        String arn = tables.client()
                .describeTable(request -> request.tableName(TableStreamTest.TABLE))
                .table()
                .latestStreamArn();
        StreamFunction function = event -> {
            event.getRecords().forEach(record -> {
                var image = record.getDynamodb().getNewImage();
                delivered.add(record.getEventName() + " "
                        + record.getDynamodb().getKeys().get("pk").getS()
                        + (image == null ? "" : " " + image.get("n").getN()));
            });
            return new StreamsEventResponse(List.of());
        };
        new StreamDelivery(
                        new StreamDelivery.Receiver("TestFunction", mapping(patterns), function),
                        new TableStream(tables.streams(), arn, ""),
                        Checkpoint.none(),
                        new DeadLetters(),
                        Clock.systemUTC(),
                        EmulatorLog.none())
                .deliver(false);
        return delivered;
    }
}
