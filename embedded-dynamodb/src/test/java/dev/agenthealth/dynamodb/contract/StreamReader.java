package dev.agenthealth.dynamodb.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsResponse;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.Shard;
import software.amazon.awssdk.services.dynamodb.model.ShardIteratorType;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** Reads a stream from the oldest record on. Not thread-safe. */
final class StreamReader {

    private final DynamoDbStreamsClient client;
    private final String arn;

    /** Where reading continues, by shard; null where the shard has ended. */
    private final Map<String, String> iterators = new HashMap<>();

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
            iterators.computeIfAbsent(shard.shardId(), id -> client.getShardIterator(
                            r -> r.streamArn(arn).shardId(id).shardIteratorType(ShardIteratorType.TRIM_HORIZON))
                    .shardIterator());
            iterators.compute(shard.shardId(), (id, iterator) -> read(iterator, records));
        }
        return records;
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
