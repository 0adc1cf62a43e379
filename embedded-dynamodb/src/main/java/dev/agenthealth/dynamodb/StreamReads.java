package dev.agenthealth.dynamodb;

import static dev.agenthealth.dynamodb.value.DynamoDbErrors.invalid;

import dev.agenthealth.dynamodb.sqlite.Rows;
import dev.agenthealth.dynamodb.sqlite.Session;
import dev.agenthealth.dynamodb.table.ItemBytes;
import dev.agenthealth.dynamodb.table.ItemReader;
import dev.agenthealth.dynamodb.table.Table;
import dev.agenthealth.dynamodb.value.DynamoDbErrors;
import dev.agenthealth.dynamodb.value.Sizes;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DescribeStreamRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeStreamResponse;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsRequest;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsResponse;
import software.amazon.awssdk.services.dynamodb.model.GetShardIteratorRequest;
import software.amazon.awssdk.services.dynamodb.model.GetShardIteratorResponse;
import software.amazon.awssdk.services.dynamodb.model.Identity;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.Shard;
import software.amazon.awssdk.services.dynamodb.model.ShardIteratorType;
import software.amazon.awssdk.services.dynamodb.model.StreamRecord;
import software.amazon.awssdk.services.dynamodb.model.StreamStatus;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.model.TrimmedDataAccessException;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** Reads the streams of tables. A stream has one shard that stays open; an iterator is a sequence number and never expires. Thread-safe. */
final class StreamReads implements DynamoDbStreamsClient {

    private static final String SHARD = "shardId-00000000000000000000-00000001";

    private final Engine engine;

    StreamReads(Engine engine) {
        this.engine = engine;
    }

    @Override
    public String serviceName() {
        return SERVICE_NAME;
    }

    /** Does nothing: the owner closes the database. */
    @Override
    public void close() {}

    @Override
    public DescribeStreamResponse describeStream(DescribeStreamRequest request) {
        Table table = table(request.streamArn());
        List<Shard> shards = SHARD.equals(request.exclusiveStartShardId())
                ? List.of()
                : List.of(Shard.builder()
                        .shardId(SHARD)
                        .sequenceNumberRange(range -> range.startingSequenceNumber(text(1)))
                        .build());
        return DescribeStreamResponse.builder()
                .streamDescription(stream -> stream.streamArn(table.streamArn())
                        .streamLabel(table.streamLabel())
                        .streamStatus(StreamStatus.ENABLED)
                        .streamViewType(table.streamView())
                        .tableName(table.name())
                        .creationRequestDateTime(table.createdAt())
                        .keySchema(Descriptions.keys(table.keys()))
                        .shards(shards))
                .build();
    }

    @Override
    public GetShardIteratorResponse getShardIterator(GetShardIteratorRequest request) {
        Table table = table(request.streamArn());
        if (!SHARD.equals(request.shardId())) {
            throw Catalogue.notFound("Requested resource not found: Shard does not exist");
        }
        long after =
                switch (request.shardIteratorType()) {
                    case TRIM_HORIZON -> 0;
                    case LATEST -> number("SELECT max(sequence) FROM stream");
                    case AFTER_SEQUENCE_NUMBER -> number(request, 0);
                    case AT_SEQUENCE_NUMBER -> number(request, 1) - 1;
                    default -> throw invalid("Invalid ShardIteratorType");
                };
        if (request.shardIteratorType() != ShardIteratorType.TRIM_HORIZON
                && after + 1 < number("SELECT min(sequence) FROM stream")) {
            throw DynamoDbErrors.as(
                            "TrimmedDataAccessException",
                            "The operation attempted to read past the oldest stream record in a shard",
                            TrimmedDataAccessException.builder())
                    .build();
        }
        return GetShardIteratorResponse.builder()
                .shardIterator(iterator(table, after))
                .build();
    }

    private long number(String sql) {
        return engine.read(session -> session.number(sql, 0));
    }

    private static long number(GetShardIteratorRequest request, long least) {
        try {
            long number = Long.parseLong(request.sequenceNumber());
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException e) {
            // The same answer as for a number that is too small.
        }
        throw invalid("Invalid SequenceNumber");
    }

    private static String iterator(Table table, long after) {
        return table.streamArn() + "|" + after;
    }

    @Override
    public GetRecordsResponse getRecords(GetRecordsRequest request) {
        String iterator = String.valueOf(request.shardIterator());
        int end = iterator.indexOf('|');
        if (end < 0 || !iterator.substring(end + 1).matches("\\d{1,18}")) {
            throw invalid("Invalid ShardIterator");
        }
        Table table = table(iterator.substring(0, end));
        long after = Long.parseLong(iterator.substring(end + 1));
        int limit = request.limit() == null ? Limits.MAX_STREAM_RECORDS : request.limit();
        if (limit < 1 || limit > Limits.MAX_STREAM_RECORDS) {
            throw invalid("1 validation error detected: Value '" + limit + "' at 'limit' failed to satisfy constraint");
        }
        List<Record> records = engine.read(session -> read(session, table, after, limit));
        long last = records.isEmpty()
                ? after
                : Long.parseLong(records.get(records.size() - 1).dynamodb().sequenceNumber());
        return GetRecordsResponse.builder()
                .records(records)
                .nextShardIterator(iterator(table, last))
                .build();
    }

    static List<Record> read(Session session, Table table, long after, long limit) throws SQLException {
        List<Record> records = new ArrayList<>();
        // Transactions of a kind write the same items.
        ItemReader images = ItemReader.ofAll();
        long bytes = 0;
        try (ResultSet rows = session.bound(
                        "SELECT sequence, at, event, expired, old, new FROM stream WHERE sequence > ? AND table_id = ?"
                                + " ORDER BY sequence LIMIT ?",
                        after,
                        table.id(),
                        limit)
                .executeQuery()) {
            while (bytes < Limits.MAX_PAGE && rows.next()) {
                Record record = record(table, rows, images);
                bytes += record.dynamodb().sizeBytes();
                records.add(record);
            }
        }
        return records;
    }

    private static Record record(Table table, ResultSet row, ItemReader images) throws SQLException {
        long sequence = row.getLong(1);
        byte[] old = row.getBytes(5);
        byte[] now = row.getBytes(6);
        Map<String, AttributeValue> image = images.read(now == null ? old : now);
        Map<String, AttributeValue> keys = new HashMap<>();
        table.keys().copy(image, keys);
        StreamRecord.Builder change = StreamRecord.builder()
                .approximateCreationDateTime(Instant.ofEpochMilli(row.getLong(2)))
                .keys(keys)
                .sequenceNumber(text(sequence))
                .streamViewType(table.streamView());
        long size = Sizes.item(keys);
        StreamViewType view = StreamViewType.fromValue(table.streamView());
        if (now != null && (view == StreamViewType.NEW_IMAGE || view == StreamViewType.NEW_AND_OLD_IMAGES)) {
            change.newImage(image);
            size += ItemBytes.size(now);
        }
        if (old != null && (view == StreamViewType.OLD_IMAGE || view == StreamViewType.NEW_AND_OLD_IMAGES)) {
            change.oldImage(images.read(old));
            size += ItemBytes.size(old);
        }
        Record.Builder record = Record.builder()
                .eventID(padded(Long.toHexString(sequence), 32))
                .eventName(Rows.change(row.getInt(3)))
                .eventVersion("1.1")
                .eventSource("aws:dynamodb")
                .awsRegion("us-east-1")
                .dynamodb(change.sizeBytes(size).build());
        if (row.getBoolean(4)) {
            record.userIdentity(Identity.builder()
                    .type("Service")
                    .principalId("dynamodb.amazonaws.com")
                    .build());
        }
        return record.build();
    }

    private static String text(long sequence) {
        return padded(Long.toString(sequence), 21);
    }

    private static String padded(String digits, int length) {
        return "0".repeat(length - digits.length()) + digits;
    }

    private Table table(String arn) {
        return engine.catalogue().all().stream()
                .filter(table -> table.hasStream() && table.streamArn().equals(arn))
                .findFirst()
                .orElseThrow(() -> Catalogue.notFound("Requested resource not found: Stream: " + arn + " not found"));
    }
}
