package dev.agenthealth.testkit;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.OperationType;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.Shard;
import software.amazon.awssdk.services.dynamodb.model.ShardIteratorType;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** Reads a table's stream and converts its records to the JSON of Lambda's events. */
public final class StreamRecords {

    private static final String EVENT_SOURCE_ARN =
            "arn:aws:dynamodb:us-east-1:123456789012:table/RegistryTable/stream/2026-02-08T10:00:00.000";

    private StreamRecords() {}

    /** Returns all records of the registry table's stream so far, oldest first. */
    public static List<ObjectNode> ofRegistry(TestTables tables) {
        return ofRegistry(tables, record -> true);
    }

    private static List<ObjectNode> ofRegistry(TestTables tables, Predicate<Record> which) {
        DynamoDbStreamsClient streams = tables.streams();
        String arn = tables.dynamoDb()
                .describeTable(r -> r.tableName(TestTables.REGISTRY))
                .table()
                .latestStreamArn();
        List<ObjectNode> records = new ArrayList<>();
        for (Shard shard : streams.describeStream(r -> r.streamArn(arn))
                .streamDescription()
                .shards()) {
            String iterator = streams.getShardIterator(r ->
                            r.streamArn(arn).shardId(shard.shardId()).shardIteratorType(ShardIteratorType.TRIM_HORIZON))
                    .shardIterator();
            boolean more = true;
            while (more && iterator != null) {
                String from = iterator;
                var answer = streams.getRecords(r -> r.shardIterator(from));
                answer.records().stream().filter(which).map(StreamRecords::json).forEach(records::add);
                more = !answer.records().isEmpty();
                iterator = answer.nextShardIterator();
            }
        }
        return records;
    }

    /** Returns the new events among these records. */
    public static List<ObjectNode> events(TestTables tables) {
        return ofRegistry(
                tables,
                record -> record.eventName() == OperationType.INSERT
                        && record.dynamodb().keys().get("sk").s().startsWith("E#"));
    }

    /** Returns the JSON of a Lambda event with these records. */
    public static String event(List<ObjectNode> records) {
        ObjectNode event = TestJson.object();
        ArrayNode array = event.putArray("Records");
        records.forEach(array::add);
        return TestJson.text(event);
    }

    private static ObjectNode json(Record record) {
        ObjectNode json = TestJson.object();
        json.put("eventID", record.eventID());
        json.put("eventName", record.eventNameAsString());
        json.put("eventVersion", "1.1");
        json.put("eventSource", "aws:dynamodb");
        json.put("awsRegion", "us-east-1");
        ObjectNode change = json.putObject("dynamodb");
        change.put(
                "ApproximateCreationDateTime",
                record.dynamodb().approximateCreationDateTime().getEpochSecond());
        change.set("Keys", json(record.dynamodb().keys()));
        if (record.dynamodb().hasNewImage()) {
            change.set("NewImage", json(record.dynamodb().newImage()));
        }
        change.put("SequenceNumber", record.dynamodb().sequenceNumber());
        change.put("SizeBytes", record.dynamodb().sizeBytes());
        change.put("StreamViewType", "NEW_IMAGE");
        json.put("eventSourceARN", EVENT_SOURCE_ARN);
        return json;
    }

    private static ObjectNode json(Map<String, AttributeValue> item) {
        ObjectNode json = TestJson.object();
        new TreeMap<>(item).forEach((name, value) -> json.set(name, json(value)));
        return json;
    }

    private static ObjectNode json(AttributeValue value) {
        ObjectNode json = TestJson.object();
        switch (value.type()) {
            case S -> json.put("S", value.s());
            case N -> json.put("N", value.n());
            case BOOL -> json.put("BOOL", value.bool());
            case B -> json.put("B", Base64.getEncoder().encodeToString(value.b().asByteArray()));
            case L -> {
                ArrayNode array = json.putArray("L");
                value.l().forEach(element -> array.add(json(element)));
            }
            case M -> json.set("M", json(value.m()));
            case SS -> {
                ArrayNode array = json.putArray("SS");
                value.ss().forEach(array::add);
            }
            case BS -> {
                ArrayNode array = json.putArray("BS");
                value.bs().forEach(bytes -> array.add(Base64.getEncoder().encodeToString(bytes.asByteArray())));
            }
            default -> throw new AssertionError("the stores write no attribute of type " + value.type());
        }
        return json;
    }
}
