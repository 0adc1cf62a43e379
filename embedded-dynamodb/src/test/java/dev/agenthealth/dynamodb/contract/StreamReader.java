package dev.agenthealth.dynamodb.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsResponse;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.Shard;
import software.amazon.awssdk.services.dynamodb.model.ShardIteratorType;
import software.amazon.awssdk.services.dynamodb.model.TrimmedDataAccessException;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** Reads a stream from the oldest record on. Not thread-safe. */
final class StreamReader {

    private final DynamoDbStreamsClient client;
    private final String arn;

    /** Where reading continues, by shard. */
    private final Map<String, String> iterators = new HashMap<>();

    /** Shards whose records are all read. */
    private final Set<String> ended = new HashSet<>();

    /** The sequence number of the last record that was read. */
    private BigInteger read = BigInteger.ZERO;

    StreamReader(DynamoDbStreamsClient client, String arn) {
        this.client = client;
        this.arn = arn;
    }

    List<Shard> shards() {
        return client.describeStream(r -> r.streamArn(arn)).streamDescription().shards();
    }

    /** The records since the last call. */
    List<Record> next() {
        List<Record> records = new ArrayList<>();
        for (Shard shard : shards()) {
            String id = shard.shardId();
            if (ended.contains(id)) {
                continue;
            }
            String next;
            try {
                next = read(iterators.containsKey(id) ? iterators.get(id) : oldest(id), records);
            } catch (TrimmedDataAccessException e) {
                // DynamoDB Local drops the beginning of a shard whenever it likes. What was read before is not returned
                // again.
                next = read(oldest(id), records);
            }
            if (next == null) {
                ended.add(id);
            } else {
                iterators.put(id, next);
            }
        }
        records.removeIf(record -> number(record).compareTo(read) <= 0);
        records.stream()
                .map(StreamReader::number)
                .max(Comparator.naturalOrder())
                .ifPresent(last -> read = last);
        return records;
    }

    private static BigInteger number(Record record) {
        return new BigInteger(record.dynamodb().sequenceNumber());
    }

    private String oldest(String shardId) {
        return client.getShardIterator(
                        r -> r.streamArn(arn).shardId(shardId).shardIteratorType(ShardIteratorType.TRIM_HORIZON))
                .shardIterator();
    }

    Record onlyNext() {
        List<Record> records = next();
        assertThat(records).hasSize(1);
        return records.get(0);
    }

    /** The records after this one in its shard. */
    List<Record> after(Record record) {
        List<Record> records = new ArrayList<>();
        read(iteratorAfter(record), records);
        return records;
    }

    String iteratorAfter(Record record) {
        List<Shard> shards = shards();
        return client.getShardIterator(r -> r.streamArn(arn)
                        .shardId(shards.get(shards.size() - 1).shardId())
                        .shardIteratorType(ShardIteratorType.AFTER_SEQUENCE_NUMBER)
                        .sequenceNumber(record.dynamodb().sequenceNumber()))
                .shardIterator();
    }

    private String read(String from, List<Record> records) {
        String iterator = from;
        while (iterator != null) {
            String current = iterator;
            GetRecordsResponse response = client.getRecords(r -> r.shardIterator(current));
            records.addAll(response.records());
            iterator = response.nextShardIterator();
            if (response.records().isEmpty()) {
                break;
            }
        }
        return iterator;
    }
}
