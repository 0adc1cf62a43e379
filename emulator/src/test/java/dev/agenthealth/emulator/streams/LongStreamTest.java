package dev.agenthealth.emulator.streams;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import dev.agenthealth.emulator.deadletters.DeadLetters;
import dev.agenthealth.emulator.lambda.FunctionFailedException;
import dev.agenthealth.emulator.support.EmulatorLog;
import dev.agenthealth.template.StreamMapping;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DescribeStreamRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeStreamResponse;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsRequest;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsResponse;
import software.amazon.awssdk.services.dynamodb.model.GetShardIteratorRequest;
import software.amazon.awssdk.services.dynamodb.model.GetShardIteratorResponse;
import software.amazon.awssdk.services.dynamodb.model.OperationType;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.Shard;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** A poll of a stream, whose work does not grow with the records that wait. */
class LongStreamTest {

    private static final int BATCH_SIZE = 100;

    @Test
    void a_failed_poll_reads_one_page_whatever_waits() {
        assertThat(recordsOfFailedPolls(1_000)).isEqualTo(1_000);
        assertThat(recordsOfFailedPolls(100_000)).isEqualTo(1_000);
    }

    @Test
    void a_page_becomes_batches_in_order() {
        List<Integer> batches = new ArrayList<>();
        StreamDelivery delivery = delivery(new Waiting(2_050), event -> {
            batches.add(event.getRecords().size());
            return new StreamsEventResponse(List.of());
        });
        assertThat(delivery.deliver(false)).isEqualTo(2_050);
        assertThat(batches.subList(0, 20)).containsOnly(BATCH_SIZE);
        assertThat(batches.subList(20, batches.size())).containsExactly(50);
    }

    @Test
    void a_restart_repeats_no_batch_that_was_processed() {
        List<String> stored = new ArrayList<>();
        Checkpoint checkpoint = new Checkpoint() {
            @Override
            public String load() {
                return "";
            }

            @Override
            public void store(String sequenceNumber) {
                stored.add(sequenceNumber);
            }
        };
        AtomicInteger batches = new AtomicInteger();
        StreamDelivery delivery = delivery(new Waiting(1_000), checkpoint, event -> {
            if (batches.incrementAndGet() > 3) {
                throw new FunctionFailedException("TestFunction", new IllegalStateException("fails"));
            }
            return new StreamsEventResponse(List.of());
        });
        assertThat(delivery.deliver(false)).isEqualTo(300);
        assertThat(stored).containsExactly("99", "199", "299");
    }

    @Test
    void a_batch_whose_messages_cannot_be_stored_is_delivered_again() {
        List<String> first = new ArrayList<>();
        StreamDelivery delivery = delivery(new Waiting(BATCH_SIZE + 1), event -> {
            first.add(event.getRecords().get(0).getDynamodb().getSequenceNumber());
            if (first.size() == 1) {
                throw new IllegalStateException("the disk is full");
            }
            return new StreamsEventResponse(List.of());
        });
        assertThat(delivery.deliver(false)).isZero();
        assertThat(delivery.deliver(false)).isEqualTo(BATCH_SIZE + 1);
        assertThat(first).containsExactly("0", "0", "100");
    }

    private static int recordsOfFailedPolls(int waiting) {
        Waiting stream = new Waiting(waiting);
        StreamDelivery delivery = delivery(stream, event -> {
            throw new FunctionFailedException("TestFunction", new IllegalStateException("fails"));
        });
        for (int i = 0; i < 3; i++) {
            assertThat(delivery.deliver(false)).isZero();
        }
        return stream.read;
    }

    private static StreamDelivery delivery(Waiting stream, StreamFunction function) {
        return delivery(stream, Checkpoint.none(), function);
    }

    private static StreamDelivery delivery(Waiting stream, Checkpoint checkpoint, StreamFunction function) {
        StreamMapping mapping = new StreamMapping(
                "Records",
                "Things",
                "TRIM_HORIZON",
                List.of(),
                BATCH_SIZE,
                false,
                new StreamMapping.Retries(-1, Duration.ZERO, false, ""));
        return new StreamDelivery(
                new StreamDelivery.Receiver("TestFunction", mapping, function),
                new TableStream(stream, "arn", ""),
                checkpoint,
                new DeadLetters(),
                Clock.systemUTC(),
                EmulatorLog.none());
    }

    /** A stream with this many records. */
    private static final class Waiting implements DynamoDbStreamsClient {

        private final int records;
        private int read;

        Waiting(int records) {
            this.records = records;
        }

        @Override
        public DescribeStreamResponse describeStream(DescribeStreamRequest request) {
            return DescribeStreamResponse.builder()
                    .streamDescription(stream ->
                            stream.shards(Shard.builder().shardId("shard").build()))
                    .build();
        }

        @Override
        public GetShardIteratorResponse getShardIterator(GetShardIteratorRequest request) {
            return GetShardIteratorResponse.builder().shardIterator("0").build();
        }

        @Override
        public GetRecordsResponse getRecords(GetRecordsRequest request) {
            int from = Integer.parseInt(request.shardIterator());
            int to = Math.min(records, from + request.limit());
            read += to - from;
            return GetRecordsResponse.builder()
                    .records(IntStream.range(from, to).mapToObj(Waiting::record).toList())
                    .nextShardIterator(String.valueOf(to))
                    .build();
        }

        private static Record record(int number) {
            return Record.builder()
                    .eventName(OperationType.INSERT)
                    .dynamodb(change -> change.keys(Map.of("pk", AttributeValue.fromS("p" + number)))
                            .approximateCreationDateTime(Instant.EPOCH)
                            .sizeBytes(1L)
                            .sequenceNumber(String.valueOf(number))
                            .streamViewType(StreamViewType.KEYS_ONLY))
                    .build();
        }

        @Override
        public String serviceName() {
            return SERVICE_NAME;
        }

        @Override
        public void close() {}
    }
}
