package dev.agenthealth.dynamodb.contract;

import static dev.agenthealth.dynamodb.contract.Values.bs;
import static dev.agenthealth.dynamodb.contract.Values.item;
import static dev.agenthealth.dynamodb.contract.Values.n;
import static dev.agenthealth.dynamodb.contract.Values.with;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsResponse;
import software.amazon.awssdk.services.dynamodb.model.OperationType;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.Shard;
import software.amazon.awssdk.services.dynamodb.model.ShardIteratorType;
import software.amazon.awssdk.services.dynamodb.model.StreamDescription;
import software.amazon.awssdk.services.dynamodb.model.StreamStatus;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** The stream of a table, with new images. */
abstract class StreamContract extends Contract {

    private String arn;
    private StreamReader stream;

    StreamContract(Backend backend) {
        super(backend);
    }

    @BeforeAll
    void findStream() {
        arn = client.describeTable(r -> r.tableName(registry)).table().latestStreamArn();
        stream = new StreamReader(backend.streams(), arn);
    }

    @BeforeEach
    void skipEarlierRecords() {
        stream.next();
    }

    private static List<OperationType> types(List<Record> records) {
        return records.stream().map(Record::eventName).toList();
    }

    @Test
    void a_put_of_a_new_item_is_an_insert_with_the_new_image() {
        Map<String, AttributeValue> item = put("v", n(1), "set", bs("a", "b"));

        Record record = stream.onlyNext();

        assertThat(record.eventName()).isEqualTo(OperationType.INSERT);
        assertThat(record.dynamodb().keys()).isEqualTo(key());
        assertSame(record.dynamodb().newImage(), item);
        assertThat(record.dynamodb().hasOldImage()).isFalse();
        assertThat(record.dynamodb().sequenceNumber()).isNotEmpty();
        assertThat(record.dynamodb().streamViewType()).isEqualTo(StreamViewType.NEW_IMAGE);
        assertThat(record.eventID()).isNotEmpty();
        assertThat(record.eventSource()).isEqualTo("aws:dynamodb");
        assertThat(record.userIdentity()).isNull();
    }

    @Test
    void an_image_has_empty_lists_and_maps() {
        Map<String, AttributeValue> item = put("list", Values.l(), "map", Values.m());

        assertThat(stream.onlyNext().dynamodb().newImage()).isEqualTo(item);
    }

    @Test
    void a_put_of_an_existing_item_is_a_modification() {
        put("v", n(1));
        put("v", n(2));

        List<Record> records = stream.next();

        assertThat(types(records)).containsExactly(OperationType.INSERT, OperationType.MODIFY);
        assertThat(records.get(1).dynamodb().newImage()).isEqualTo(with(key(), "v", n(2)));
    }

    @Test
    void an_update_is_an_insert_or_a_modification() {
        update("SET v = :v", ":v", n(1));
        update("SET v = :v", ":v", n(2));

        assertThat(types(stream.next())).containsExactly(OperationType.INSERT, OperationType.MODIFY);
    }

    @Test
    void a_delete_is_a_removal_without_image() {
        put("v", n(1));
        stream.next();

        client.deleteItem(r -> r.tableName(registry).key(key()));
        Record record = stream.onlyNext();

        assertThat(record.eventName()).isEqualTo(OperationType.REMOVE);
        assertThat(record.dynamodb().keys()).isEqualTo(key());
        assertThat(record.dynamodb().hasNewImage()).isFalse();
        assertThat(record.userIdentity()).isNull();
    }

    @Test
    void a_delete_of_a_missing_item_writes_no_record() {
        client.deleteItem(r -> r.tableName(registry).key(key()));

        assertThat(stream.next()).isEmpty();
    }

    @Test
    void a_write_that_changes_nothing_writes_no_record() {
        put("v", n(1), "set", bs("a", "b"));
        stream.next();

        put("v", n("1.0"), "set", bs("b", "a"));
        update(r -> r.updateExpression("SET v = :v REMOVE w ADD #s :s")
                .expressionAttributeNames(names("#s", "set"))
                .expressionAttributeValues(item(":v", n(1), ":s", bs("a"))));
        client.transactWriteItems(r -> r.transactItems(putting(with(key(), "v", n(1), "set", bs("a", "b")))));

        assertThat(stream.next()).isEmpty();
    }

    @Test
    void a_write_with_a_failing_condition_writes_no_record() {
        assertConditionFails(() -> putWhere("attribute_exists(pk)"));
        assertCancelled(() -> client.transactWriteItems(r -> r.transactItems(
                putting(key("b")),
                putting(key("c")).toBuilder()
                        .put(p -> p.tableName(registry).item(key("c")).conditionExpression("attribute_exists(pk)"))
                        .build())));

        assertThat(stream.next()).isEmpty();
    }

    @Test
    void a_transaction_writes_a_record_for_each_change() {
        putAll("b", "c");
        stream.next();

        client.transactWriteItems(r -> r.transactItems(
                putting(key("a")),
                TransactWriteItem.builder()
                        .delete(d -> d.tableName(registry).key(key("b")))
                        .build(),
                TransactWriteItem.builder()
                        .conditionCheck(
                                c -> c.tableName(registry).key(key("c")).conditionExpression("attribute_exists(pk)"))
                        .build()));

        assertThat(types(stream.next())).containsExactlyInAnyOrder(OperationType.INSERT, OperationType.REMOVE);
    }

    @Test
    void a_batch_writes_a_record_for_each_change() {
        putAll("a", "b");
        stream.next();

        client.batchWriteItem(r -> r.requestItems(Map.of(
                registry,
                List.of(
                        WriteRequest.builder()
                                .deleteRequest(d -> d.key(key("a")))
                                .build(),
                        WriteRequest.builder()
                                .deleteRequest(d -> d.key(key("missing")))
                                .build()))));

        assertThat(types(stream.next())).containsExactly(OperationType.REMOVE);
    }

    @Test
    void records_of_an_item_are_in_the_order_of_its_changes() {
        for (int i = 0; i < 20; i++) {
            put("v", n(i));
        }

        List<Record> records = stream.next();

        assertThat(records)
                .extracting(record -> record.dynamodb().newImage().get("v").n())
                .containsExactly(java.util.stream.IntStream.range(0, 20)
                        .mapToObj(Integer::toString)
                        .toArray(String[]::new));
        assertThat(records)
                .extracting(record -> new java.math.BigInteger(record.dynamodb().sequenceNumber()))
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(records).extracting(Record::eventID).doesNotHaveDuplicates();
    }

    @Test
    void reading_continues_after_a_sequence_number() {
        putAll("a", "b", "c");
        List<Record> records = stream.next();

        assertThat(stream.after(records.get(0)))
                .extracting(record -> record.dynamodb().keys().get("sk").s())
                .containsExactly("b", "c");
        assertThat(stream.after(records.get(2))).isEmpty();
    }

    @Test
    void reading_from_the_oldest_record_returns_all() {
        String table = ContractTables.createRegistry(backend);
        String other = client.describeTable(r -> r.tableName(table)).table().latestStreamArn();
        client.putItem(r -> r.tableName(table).item(key("a")));
        client.putItem(r -> r.tableName(table).item(key("b")));

        assertThat(new StreamReader(backend.streams(), other).next())
                .extracting(record -> record.dynamodb().keys().get("sk").s())
                .containsExactly("a", "b");
    }

    @Test
    void a_read_returns_at_most_its_limit() {
        putAll("a", "b", "c");
        Record first = stream.next().get(0);

        GetRecordsResponse response = backend.streams()
                .getRecords(r -> r.shardIterator(stream.iteratorAfter(first)).limit(1));
        assertThat(response.records()).hasSize(1);
        assertThat(backend.streams()
                        .getRecords(r -> r.shardIterator(response.nextShardIterator()))
                        .records())
                .hasSize(1);
    }

    @Test
    void an_iterator_at_the_end_returns_what_is_written_later() {
        Shard shard = stream.shards().get(stream.shards().size() - 1);
        String end = backend.streams()
                .getShardIterator(
                        r -> r.streamArn(arn).shardId(shard.shardId()).shardIteratorType(ShardIteratorType.LATEST))
                .shardIterator();
        put("v", n(1));

        assertThat(types(backend.streams().getRecords(r -> r.shardIterator(end)).records()))
                .containsExactly(OperationType.INSERT);
    }

    @Test
    void a_stream_is_described() {
        StreamDescription description =
                backend.streams().describeStream(r -> r.streamArn(arn)).streamDescription();

        assertThat(description.streamArn()).isEqualTo(arn);
        assertThat(description.tableName()).isEqualTo(registry);
        assertThat(description.streamStatus()).isEqualTo(StreamStatus.ENABLED);
        assertThat(description.streamViewType()).isEqualTo(StreamViewType.NEW_IMAGE);
        assertThat(description.keySchema()).isEqualTo(ContractTables.keys("pk", "sk"));
        assertThat(description.shards()).isNotEmpty();
    }

    @Test
    void an_unknown_stream_is_refused() {
        String unknown = arn.replace(registry, registry + "x");

        org.assertj.core.api.Assertions.assertThatThrownBy(
                        () -> backend.streams().describeStream(r -> r.streamArn(unknown)))
                .isInstanceOf(ResourceNotFoundException.class);
        org.assertj.core.api.Assertions.assertThatThrownBy(
                        () -> backend.streams().getShardIterator(r -> r.streamArn(unknown)
                                .shardId(stream.shards().get(0).shardId())
                                .shardIteratorType(ShardIteratorType.TRIM_HORIZON)))
                .isInstanceOf(ResourceNotFoundException.class);
    }

    @Test
    void a_table_without_stream_has_no_stream_arn() {
        assertThat(client.describeTable(r -> r.tableName(pulses)).table().latestStreamArn())
                .isNull();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "NEW_IMAGE, false, true",
        "OLD_IMAGE, true, false",
        "NEW_AND_OLD_IMAGES, true, true",
        "KEYS_ONLY, false, false"
    })
    void a_stream_has_the_images_of_its_view(StreamViewType view, boolean old, boolean now) {
        String table = backend.unusedName("viewed");
        client.createTable(ContractTables.registry(table)
                .streamSpecification(s -> s.streamEnabled(true).streamViewType(view))
                .build());
        backend.awaitTable(table);
        StreamReader viewed = new StreamReader(
                backend.streams(),
                client.describeTable(r -> r.tableName(table)).table().latestStreamArn());
        Map<String, AttributeValue> first = Values.with(key(), "v", n(1));
        Map<String, AttributeValue> second = Values.with(key(), "v", n(2));
        client.putItem(r -> r.tableName(table).item(first));
        client.putItem(r -> r.tableName(table).item(second));
        client.deleteItem(r -> r.tableName(table).key(key()));

        List<Record> records = viewed.next();

        assertThat(types(records)).containsExactly(OperationType.INSERT, OperationType.MODIFY, OperationType.REMOVE);
        assertThat(records).allSatisfy(r -> {
            assertThat(r.dynamodb().keys()).isEqualTo(key());
            assertThat(r.dynamodb().streamViewType()).isEqualTo(view);
        });
        assertThat(records.stream().map(r -> r.dynamodb().oldImage()))
                .containsExactly(Map.of(), old ? first : Map.of(), old ? second : Map.of());
        assertThat(records.stream().map(r -> r.dynamodb().newImage()))
                .containsExactly(now ? first : Map.of(), now ? second : Map.of(), Map.of());
    }
}
