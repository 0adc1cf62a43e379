package dev.agenthealth.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.dynamodb.value.Sizes;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsResponse;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.ShardIteratorType;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.model.TrimmedDataAccessException;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** Where reading a stream begins and where a page of it ends; sequence numbers count from 1. */
class StreamReadsTest {

    private static final int KILOBYTE = 1024;

    private final EmbeddedDynamoDb database = EmbeddedDynamoDb.inTemporaryFile(Clock.systemUTC());
    private final DynamoDbStreamsClient streams = database.streams();
    private String arn;
    private String shard;

    @BeforeEach
    void create() {
        Things.create(database.client());
        find(Things.TABLE);
    }

    private void find(String table) {
        arn = database.client()
                .describeTable(request -> request.tableName(table))
                .table()
                .latestStreamArn();
        shard = streams.describeStream(request -> request.streamArn(arn))
                .streamDescription()
                .shards()
                .get(0)
                .shardId();
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void put(int number) {
        database.client().putItem(request -> request.tableName(Things.TABLE).item(Things.item(number)));
    }

    private String iterator(ShardIteratorType type, String sequence) {
        return streams.getShardIterator(request -> request.streamArn(arn)
                        .shardId(shard)
                        .shardIteratorType(type)
                        .sequenceNumber(sequence))
                .shardIterator();
    }

    private List<Long> sequences(String iterator) {
        return streams.getRecords(request -> request.shardIterator(iterator)).records().stream()
                .map(record -> Long.parseLong(record.dynamodb().sequenceNumber()))
                .toList();
    }

    @Test
    void reading_begins_at_or_after_a_record_or_at_an_end() {
        assertThat(sequences(iterator(ShardIteratorType.LATEST, null))).isEmpty();
        put(1);
        put(2);
        put(3);
        String latest = iterator(ShardIteratorType.LATEST, null);
        put(4);

        assertThat(sequences(iterator(ShardIteratorType.TRIM_HORIZON, null))).containsExactly(1L, 2L, 3L, 4L);
        assertThat(sequences(iterator(ShardIteratorType.AT_SEQUENCE_NUMBER, "2")))
                .containsExactly(2L, 3L, 4L);
        assertThat(sequences(iterator(ShardIteratorType.AT_SEQUENCE_NUMBER, "1")))
                .hasSize(4);
        assertThat(sequences(iterator(ShardIteratorType.AFTER_SEQUENCE_NUMBER, "2")))
                .containsExactly(3L, 4L);
        assertThat(sequences(iterator(ShardIteratorType.AFTER_SEQUENCE_NUMBER, "0")))
                .hasSize(4);
        assertThat(sequences(latest)).containsExactly(4L);
    }

    @ParameterizedTest
    @CsvSource({"AT_SEQUENCE_NUMBER, 0", "AT_SEQUENCE_NUMBER, x", "AFTER_SEQUENCE_NUMBER, -1", "AFTER_SEQUENCE_NUMBER,"
    })
    void a_sequence_number_that_is_none_is_refused(ShardIteratorType type, String number) {
        assertThatThrownBy(() -> iterator(type, number))
                .isInstanceOf(DynamoDbException.class)
                .hasMessageContaining("Invalid SequenceNumber");
    }

    @Test
    void reading_before_the_oldest_record_is_refused() throws IOException, SQLException {
        for (int number = 1; number <= 5; number++) {
            put(number);
        }
        database.checkpoints().declare(List.of("consumer"));
        database.checkpoints().store("consumer", 3);
        // Items that have expired are removed as well, which adds records.
        database.maintainOnce();

        for (Runnable early : List.<Runnable>of(
                () -> iterator(ShardIteratorType.AFTER_SEQUENCE_NUMBER, "2"),
                () -> iterator(ShardIteratorType.AT_SEQUENCE_NUMBER, "3"))) {
            assertThatThrownBy(early::run).isInstanceOf(TrimmedDataAccessException.class);
        }
        assertThat(sequences(iterator(ShardIteratorType.AFTER_SEQUENCE_NUMBER, "3")))
                .startsWith(4L, 5L);
        assertThat(sequences(iterator(ShardIteratorType.AT_SEQUENCE_NUMBER, "4")))
                .startsWith(4L, 5L);
        assertThat(sequences(iterator(ShardIteratorType.TRIM_HORIZON, null))).startsWith(4L, 5L);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1_001})
    void a_page_has_at_least_one_and_at_most_1000_records(int limit) {
        String iterator = iterator(ShardIteratorType.TRIM_HORIZON, null);

        assertThatThrownBy(() -> streams.getRecords(
                        request -> request.shardIterator(iterator).limit(limit)))
                .isInstanceOf(DynamoDbException.class)
                .hasMessageContaining("Value '" + limit + "' at 'limit' failed to satisfy constraint");
        put(1);
        for (int valid : List.of(1, 1_000)) {
            assertThat(streams.getRecords(
                                    request -> request.shardIterator(iterator).limit(valid))
                            .records())
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"KEYS_ONLY, 8", "NEW_IMAGE, 3", "OLD_IMAGE, 6", "NEW_AND_OLD_IMAGES, 3"})
    void a_page_ends_when_its_keys_and_images_have_1_megabyte(StreamViewType view, int records) {
        database.client().deleteTable(request -> request.tableName(Things.TABLE));
        Things.create(database.client(), view);
        find(Things.TABLE);
        for (int number = 1; number <= 3; number++) {
            Map<String, AttributeValue> item = new HashMap<>(Things.item(number));
            item.put("text", AttributeValue.fromS("x".repeat(390 * KILOBYTE)));
            database.client().putItem(request -> request.tableName(Things.TABLE).item(item));
        }
        // Each item was there before its second change.
        for (int number = 1; number <= 5; number++) {
            put(number);
        }

        GetRecordsResponse page =
                streams.getRecords(request -> request.shardIterator(iterator(ShardIteratorType.TRIM_HORIZON, null)));

        assertThat(page.records()).hasSize(records);
        assertThat(records == 8 ? List.of(9L) : sequences(page.nextShardIterator()))
                .startsWith(records + 1L);
    }

    @ParameterizedTest
    @CsvSource({"KEYS_ONLY, 0, 0", "NEW_IMAGE, 0, 1", "OLD_IMAGE, 1, 0", "NEW_AND_OLD_IMAGES, 1, 1"})
    void the_size_of_a_record_is_that_of_its_keys_and_images(StreamViewType view, int old, int now) {
        database.client().deleteTable(request -> request.tableName(Things.TABLE));
        Things.create(database.client(), view);
        find(Things.TABLE);
        Map<String, AttributeValue> keys = Map.of("pk", AttributeValue.fromS("p1"), "sk", AttributeValue.fromS("s"));
        put(1);
        database.client().putItem(request -> request.tableName(Things.TABLE).item(keys));

        List<Record> records = streams.getRecords(
                        request -> request.shardIterator(iterator(ShardIteratorType.TRIM_HORIZON, null)))
                .records();

        long item = Sizes.item(Things.item(1));
        assertThat(records.get(0).dynamodb().sizeBytes()).isEqualTo(7 + now * item);
        assertThat(records.get(1).dynamodb().sizeBytes()).isEqualTo(7 + old * item + now * 7L);
    }
}
