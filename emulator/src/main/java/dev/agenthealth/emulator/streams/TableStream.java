package dev.agenthealth.emulator.streams;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.ExpiredIteratorException;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsResponse;
import software.amazon.awssdk.services.dynamodb.model.GetShardIteratorRequest;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.Shard;
import software.amazon.awssdk.services.dynamodb.model.ShardIteratorType;
import software.amazon.awssdk.services.dynamodb.model.StreamDescription;
import software.amazon.awssdk.services.dynamodb.model.TrimmedDataAccessException;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/**
 * Reads one table's stream from a position on, shard after shard. Not thread-safe.
 *
 * <p>The embedded database and emulators write one shard at a time and list shards in the order in which they were opened. A stream is
 * therefore one sequence.
 *
 * <p>After an expired iterator, trimmed records or a closed shard, reading continues with the oldest remaining record after the position.
 */
final class TableStream {

    /** The maximum number of records of a GetRecords call. */
    static final int MAX_PAGE = 1_000;

    private final DynamoDbStreamsClient streams;
    private final String streamArn;
    private StreamPosition position;

    /** The open shard iterator; empty if it must be opened at the position. */
    private String iterator = "";

    /** @param after the sequence number of a record of the stream's first shard; empty for the beginning */
    TableStream(DynamoDbStreamsClient streams, String streamArn, String after) {
        this.streams = streams;
        this.streamArn = streamArn;
        this.position = new StreamPosition("", after);
    }

    String arn() {
        return streamArn;
    }

    /** Returns the next records, at most {@code limit}; no records at the end. */
    StreamPage read(int limit) {
        while (!iterator.isEmpty() || openShard()) {
            Optional<StreamPage> page = iterator.isEmpty() ? Optional.empty() : readShard(Math.min(limit, MAX_PAGE));
            if (page.isPresent()) {
                return page.get();
            }
        }
        return new StreamPage(List.of(), position);
    }

    /** Reads from the open shard; empty if reading has to continue at the new position. */
    private Optional<StreamPage> readShard(int limit) {
        GetRecordsResponse response;
        try {
            response = streams.getRecords(
                    request -> request.shardIterator(iterator).limit(limit));
        } catch (ExpiredIteratorException e) {
            iterator = "";
            return Optional.empty();
        } catch (TrimmedDataAccessException e) {
            toStartOf(position.shardId());
            return Optional.empty();
        }
        iterator = Optional.ofNullable(response.nextShardIterator()).orElse("");
        if (response.records().isEmpty() && iterator.isEmpty()) {
            Optional<Shard> next = shardAfterThis();
            next.ifPresent(shard -> toStartOf(shard.shardId()));
            return next.isPresent() ? Optional.empty() : Optional.of(new StreamPage(List.of(), position));
        }
        return Optional.of(page(response.records()));
    }

    private StreamPage page(List<Record> records) {
        if (!records.isEmpty()) {
            Record last = records.get(records.size() - 1);
            position = new StreamPosition(position.shardId(), last.dynamodb().sequenceNumber());
        }
        return new StreamPage(records, position);
    }

    /** Tries to open an iterator at the position, which may advance; returns false if the stream has no shard. */
    private boolean openShard() {
        List<Shard> shards = shards();
        if (shards.isEmpty()) {
            return false;
        }
        if (position.shardId().isEmpty()) {
            position = new StreamPosition(shards.get(0).shardId(), position.sequenceNumber());
        } else if (shards.stream().noneMatch(shard -> shard.shardId().equals(position.shardId()))) {
            toStartOf(shards.get(0).shardId());
        }
        GetShardIteratorRequest.Builder request =
                GetShardIteratorRequest.builder().streamArn(streamArn).shardId(position.shardId());
        if (position.sequenceNumber().isEmpty()) {
            request.shardIteratorType(ShardIteratorType.TRIM_HORIZON);
        } else {
            request.shardIteratorType(ShardIteratorType.AFTER_SEQUENCE_NUMBER)
                    .sequenceNumber(position.sequenceNumber());
        }
        try {
            iterator = streams.getShardIterator(request.build()).shardIterator();
        } catch (TrimmedDataAccessException e) {
            toStartOf(position.shardId());
        } catch (ResourceNotFoundException e) {
            // The shard was removed since it was listed.
            iterator = "";
        }
        return true;
    }

    private void toStartOf(String shardId) {
        position = new StreamPosition(shardId, "");
        iterator = "";
    }

    private Optional<Shard> shardAfterThis() {
        return shards().stream()
                .dropWhile(shard -> !shard.shardId().equals(position.shardId()))
                .skip(1)
                .findFirst();
    }

    private List<Shard> shards() {
        List<Shard> shards = new ArrayList<>();
        Optional<String> last = Optional.empty();
        do {
            String start = last.orElse(null);
            StreamDescription page = streams.describeStream(
                            request -> request.streamArn(streamArn).exclusiveStartShardId(start))
                    .streamDescription();
            shards.addAll(page.shards());
            last = Optional.ofNullable(page.lastEvaluatedShardId());
        } while (last.isPresent());
        return shards;
    }
}
