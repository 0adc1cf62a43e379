package dev.agenthealth.emulator.streams;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import dev.agenthealth.emulator.deadletters.DeadLetters;
import dev.agenthealth.emulator.dynamodb.EmulatedTables;
import dev.agenthealth.emulator.lambda.EmulatedFunction;
import dev.agenthealth.emulator.sqs.EmulatedQueues;
import dev.agenthealth.emulator.support.DaemonThreads;
import dev.agenthealth.emulator.support.EmulatorLog;
import dev.agenthealth.template.StreamMapping;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** Delivers stream records to functions by the template's event source mappings, continuously after {@link #start} or by {@link #drain}. */
public final class StreamMappings implements AutoCloseable {

    private static final long POLL_MILLIS = 100;
    private static final long CLOSE_SECONDS = 5;

    private final List<StreamDelivery> deliveries = new ArrayList<>();
    private final ScheduledExecutorService poller =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("streams"));
    private final EmulatorLog log;

    /** The streams of mappings, their stored positions, and the calls of their functions. */
    private record Source(
            Function<String, Optional<String>> streamArns,
            DynamoDbStreamsClient streams,
            Function<String, Checkpoint> checkpoints,
            UnaryOperator<StreamFunction> calls) {}

    /**
     * Reads from the beginning of the streams.
     *
     * @param functions all functions of the template
     * @param deadLetters receives the records that are not delivered again
     * @throws IllegalStateException if a mapped function does not take DynamoDB events, or a table has no stream
     */
    public StreamMappings(
            Collection<EmulatedFunction> functions,
            DynamoDbClient dynamoDb,
            DynamoDbStreamsClient streams,
            DeadLetters deadLetters,
            Clock clock,
            EmulatorLog log) {
        this(
                functions,
                new Source(
                        tableName -> streamArn(dynamoDb, tableName),
                        streams,
                        name -> Checkpoint.none(),
                        UnaryOperator.identity()),
                deadLetters,
                clock,
                log);
    }

    /**
     * Continues at the positions that the database stores, and lets the database keep unprocessed records. From now on, the streams store
     * only the changes that a mapping may take.
     *
     * @param queues store the messages of a batch of records with one change, before the position after the batch
     */
    public static StreamMappings of(
            Collection<EmulatedFunction> functions,
            EmulatedTables tables,
            EmulatedQueues queues,
            DeadLetters deadLetters,
            Clock clock,
            EmulatorLog log) {
        tables.checkpoints()
                .declare(functions.stream()
                        .flatMap(function ->
                                function.definition().streams().stream().map(mapping -> name(function, mapping)))
                        .toList());
        tables.filterStreams(new WantedChanges(functions.stream()
                .flatMap(function -> function.definition().streams().stream())
                .toList()));
        return new StreamMappings(
                functions,
                new Source(
                        tables::streamArn,
                        tables.streams(),
                        name -> Checkpoint.in(tables.checkpoints(), name),
                        function -> event -> queues.together(() -> function.take(event))),
                deadLetters,
                clock,
                log);
    }

    private StreamMappings(
            Collection<EmulatedFunction> functions,
            Source source,
            DeadLetters deadLetters,
            Clock clock,
            EmulatorLog log) {
        this.log = log;
        for (EmulatedFunction function : functions) {
            for (StreamMapping mapping : function.definition().streams()) {
                String name = name(function, mapping);
                if (!function.takes(DynamodbEvent.class)) {
                    throw new IllegalStateException(name + ": the function does not take a DynamodbEvent");
                }
                Checkpoint checkpoint = source.checkpoints().apply(name);
                String streamArn = source.streamArns()
                        .apply(mapping.tableName())
                        .orElseThrow(() -> new IllegalStateException(mapping.tableName() + " has no stream"));
                TableStream stream = new TableStream(source.streams(), streamArn, checkpoint.load());
                deliveries.add(new StreamDelivery(
                        new StreamDelivery.Receiver(
                                function.definition().name(),
                                mapping,
                                source.calls().apply(event -> take(function, event))),
                        stream,
                        checkpoint,
                        deadLetters,
                        clock,
                        log));
            }
        }
    }

    private static String name(EmulatedFunction function, StreamMapping mapping) {
        return function.definition().logicalId() + "." + mapping.name();
    }

    /** Starts to deliver records, about 100 ms after they are written. */
    public void start() {
        poller.scheduleWithFixedDelay(this::poll, 0, POLL_MILLIS, TimeUnit.MILLISECONDS);
    }

    /**
     * Delivers every record now. A failing batch is attempted once per call.
     *
     * @return the number of records that the functions processed
     */
    public int drain() {
        return deliveries.stream().mapToInt(delivery -> delivery.deliver(false)).sum();
    }

    /** Stops delivering and waits at most 5 s for a batch in progress. */
    @Override
    public void close() {
        poller.shutdown();
        try {
            if (!poller.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                poller.shutdownNow();
            }
        } catch (InterruptedException e) {
            poller.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    private void poll() {
        for (StreamDelivery delivery : deliveries) {
            try {
                delivery.deliver(true);
            } catch (RuntimeException e) {
                // An executor drops a task that throws; the next poll starts from the same position.
                log.failure("stream_poll_failed", "streams", e);
            }
        }
    }

    private static StreamsEventResponse take(EmulatedFunction function, DynamodbEvent event) {
        Object response = function.handle(event);
        return response instanceof StreamsEventResponse report ? report : new StreamsEventResponse(List.of());
    }

    private static Optional<String> streamArn(DynamoDbClient dynamoDb, String tableName) {
        return Optional.ofNullable(dynamoDb.describeTable(request -> request.tableName(tableName))
                .table()
                .latestStreamArn());
    }
}
