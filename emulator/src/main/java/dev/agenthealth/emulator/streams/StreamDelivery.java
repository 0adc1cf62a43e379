package dev.agenthealth.emulator.streams;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import dev.agenthealth.emulator.deadletters.DeadLetters;
import dev.agenthealth.emulator.deadletters.DeadLettersPage;
import dev.agenthealth.emulator.lambda.FunctionFailedException;
import dev.agenthealth.emulator.support.EmulatorLog;
import dev.agenthealth.template.StreamMapping;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.Record;

/**
 * Delivers the records of one stream to one function, in order and at least once. Thread-safe.
 *
 * <p>A failing batch is retried up to the mapping's limit, while later records wait. It is split if the mapping asks for it.
 */
final class StreamDelivery {

    private static final Duration FIRST_WAIT = Duration.ofMillis(100);

    /** The maximum number of doublings of the wait, which is then 6.4 s. */
    private static final int MAX_DOUBLINGS = 6;

    private final Receiver receiver;
    private final TableStream stream;
    private final RecordFilter filter;
    private final Checkpoint checkpoint;
    private final DeadLetters deadLetters;
    private final Clock clock;
    private final EmulatorLog log;

    private final Deque<Batch> waiting = new ArrayDeque<>();
    private StreamPosition positionAfterWaiting = new StreamPosition("", "");
    private boolean lastPageWasFull;
    private long retryAtNanos = System.nanoTime();

    /** The function that receives the records of a mapping. */
    record Receiver(String functionName, StreamMapping mapping, StreamFunction function) {}

    StreamDelivery(
            Receiver receiver,
            TableStream stream,
            Checkpoint checkpoint,
            DeadLetters deadLetters,
            Clock clock,
            EmulatorLog log) {
        this.receiver = receiver;
        this.stream = stream;
        this.filter = new RecordFilter(receiver.mapping().filterPatterns());
        this.checkpoint = checkpoint;
        this.deadLetters = deadLetters;
        this.clock = clock;
        this.log = log;
    }

    /**
     * Delivers records until none is left or a failed batch has to wait.
     *
     * @param patient true to retry a failed batch only after its waiting time, and to leave records written during a delivery to the next
     *     call
     * @return the number of records that the function processed
     */
    synchronized int deliver(boolean patient) {
        int taken = 0;
        boolean continues = true;
        // Otherwise, under a steady load, each batch would have only the few records of the previous batch's duration.
        lastPageWasFull = true;
        while (continues && fill(patient) && !(patient && isResting())) {
            Batch batch = waiting.removeFirst();
            Outcome outcome = attempt(batch);
            taken += outcome.taken();
            continues = outcome.continues();
            if (waiting.isEmpty()) {
                checkpoint.store(positionAfterWaiting.sequenceNumber());
            } else if (outcome.ended()) {
                checkpoint.store(batch.lastSequenceNumber());
            }
        }
        return taken;
    }

    /**
     * The outcome of an attempt.
     *
     * @param taken the number of records that the function processed
     * @param ended whether no record of the batch is delivered again
     * @param continues whether the next batch follows at once
     */
    private record Outcome(int taken, boolean ended, boolean continues) {}

    /** Reads until a batch is waiting; returns false if the stream has no more records. */
    private boolean fill(boolean patient) {
        while (waiting.isEmpty()) {
            if (patient && !lastPageWasFull) {
                return false;
            }
            StreamPage page = stream.read(TableStream.MAX_PAGE);
            if (page.records().isEmpty()) {
                return false;
            }
            lastPageWasFull = page.records().size() >= TableStream.MAX_PAGE;
            positionAfterWaiting = page.position();
            List<Record> wanted = page.records().stream()
                    .filter(source -> filter.takes(source, stream.arn()))
                    .toList();
            if (wanted.isEmpty()) {
                checkpoint.store(positionAfterWaiting.sequenceNumber());
            } else {
                int size = receiver.mapping().batchSize();
                for (int i = 0; i < wanted.size(); i += size) {
                    waiting.addLast(new Batch(wanted.subList(i, Math.min(i + size, wanted.size()))));
                }
            }
        }
        return true;
    }

    private boolean isResting() {
        return System.nanoTime() - retryAtNanos < 0;
    }

    private Outcome attempt(Batch batch) {
        int size = batch.records().size();
        DynamodbEvent event = RecordEvent.of(batch.records(), stream.arn());
        int taken;
        try {
            StreamsEventResponse response = receiver.function().take(event);
            taken = receiver.mapping().reportsBatchItemFailures() ? batch.taken(response) : size;
        } catch (FunctionFailedException e) {
            log.failure("stream_batch_failed", receiver.functionName(), e.getCause());
            return failed(batch);
        } catch (RuntimeException e) {
            // The function cannot be created, or the messages of the batch cannot be stored. Smaller batches would fail
            // as well.
            log.failure("stream_batch_failed", receiver.functionName(), e);
            return outcome(0, batch.failed());
        }
        return taken == size ? new Outcome(size, true, true) : outcome(taken, batch.from(taken));
    }

    private Outcome failed(Batch batch) {
        if (receiver.mapping().retries().bisectsOnError() && batch.canBeSplit()) {
            List<Batch> halves = batch.halves();
            waiting.addFirst(halves.get(1));
            waiting.addFirst(halves.get(0));
            return new Outcome(0, false, true);
        }
        return outcome(0, batch.failed());
    }

    private Outcome outcome(int taken, Batch failed) {
        boolean dropped = retryOrDrop(failed);
        return new Outcome(taken, dropped, dropped);
    }

    /** Queues a failed batch for a retry, or drops it after the maximum number of retries. Returns true if delivery can continue. */
    private boolean retryOrDrop(Batch batch) {
        int retries = receiver.mapping().retries().maximumAttempts();
        if (retries >= 0 && batch.attempts() > retries) {
            giveUp(batch);
            return true;
        }
        waiting.addFirst(batch);
        Duration wait = FIRST_WAIT.multipliedBy(1L << Math.min(batch.attempts() - 1, MAX_DOUBLINGS));
        retryAtNanos = System.nanoTime() + wait.toNanos();
        return false;
    }

    private void giveUp(Batch batch) {
        String reason = "failed " + batch.attempts() + " times";
        log.warn(
                "stream_records_given_up",
                Map.of(
                        "function",
                        receiver.functionName(),
                        "records",
                        batch.records().size(),
                        "reason",
                        reason,
                        "see",
                        DeadLettersPage.PATH));
        batch.records()
                .forEach(record -> deadLetters.add(new DeadLetters.DeadLetter(
                        receiver.functionName(), clock.instant(), reason, RecordJson.of(record, stream.arn()))));
    }
}
