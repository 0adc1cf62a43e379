package dev.agenthealth.emulator.streams;

import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import com.fasterxml.jackson.databind.node.ObjectNode;
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

/**
 * Hands the records of one stream to one function, in order, at least once: a failing batch is tried again until the mapping
 * gives it up, and what is behind it waits. A batch on which the function fails as a whole is split where the mapping says
 * so. Thread-safe.
 */
final class StreamDelivery {

    private static final Duration FIRST_WAIT = Duration.ofMillis(100);

    /** The longest wait is 6.4 s. */
    private static final int DOUBLINGS = 6;

    private final String functionName;
    private final StreamMapping mapping;
    private final StreamFunction function;
    private final TableStream stream;
    private final RecordFilter filter;
    private final Checkpoint checkpoint;
    private final DeadLetters deadLetters;
    private final Clock clock;
    private final EmulatorLog log;

    private final Deque<Batch> waiting = new ArrayDeque<>();
    private StreamPosition behindWaiting = StreamPosition.BEGINNING;
    private long notBeforeNanos = System.nanoTime();

    StreamDelivery(
            String functionName,
            StreamMapping mapping,
            StreamFunction function,
            TableStream stream,
            Checkpoint checkpoint,
            DeadLetters deadLetters,
            Clock clock,
            EmulatorLog log) {
        this.functionName = functionName;
        this.mapping = mapping;
        this.function = function;
        this.stream = stream;
        this.filter = new RecordFilter(mapping.filterPatterns());
        this.checkpoint = checkpoint;
        this.deadLetters = deadLetters;
        this.clock = clock;
        this.log = log;
    }

    /**
     * Hands over everything that is there, until nothing is left or the function fails on something that has to wait.
     *
     * @param patient whether records that failed recently are left alone until their waiting time is over
     * @return how many records the function took
     */
    synchronized int deliver(boolean patient) {
        int taken = 0;
        boolean goesOn = true;
        while (goesOn && fill() && !(patient && isResting())) {
            Outcome outcome = attempt(waiting.removeFirst());
            taken += outcome.taken();
            goesOn = outcome.goesOn();
            if (waiting.isEmpty()) {
                checkpoint.store(behindWaiting);
            }
        }
        return taken;
    }

    private record Outcome(int taken, boolean goesOn) {}

    /** Sees to it that a batch is waiting; false when the stream has nothing more. */
    private boolean fill() {
        while (waiting.isEmpty()) {
            StreamPage page = stream.read(mapping.batchSize());
            if (page.records().isEmpty()) {
                return false;
            }
            behindWaiting = page.position();
            List<ObjectNode> wanted =
                    page.records().stream().filter(filter::takes).toList();
            if (wanted.isEmpty()) {
                checkpoint.store(behindWaiting);
            } else {
                waiting.addFirst(new Batch(wanted));
            }
        }
        return true;
    }

    private boolean isResting() {
        return System.nanoTime() - notBeforeNanos < 0;
    }

    private Outcome attempt(Batch batch) {
        int size = batch.records().size();
        int taken;
        try {
            StreamsEventResponse response = function.take(batch.records());
            taken = mapping.reportsBatchItemFailures() ? batch.taken(response) : size;
        } catch (FunctionFailedException e) {
            log.failure("stream_batch_failed", functionName, e.getCause());
            return failed(batch);
        }
        return taken == size ? new Outcome(size, true) : new Outcome(taken, again(batch.from(taken)));
    }

    private Outcome failed(Batch batch) {
        if (mapping.bisectsOnError() && batch.canBeSplit()) {
            List<Batch> halves = batch.halves();
            waiting.addFirst(halves.get(1));
            waiting.addFirst(halves.get(0));
            return new Outcome(0, true);
        }
        return new Outcome(0, again(batch.failedAgain()));
    }

    /** Puts a failed batch back, or gives it up; true when there is nothing to wait for. */
    private boolean again(Batch batch) {
        int retries = mapping.maximumRetryAttempts();
        if (retries >= 0 && batch.attempts() > retries) {
            giveUp(batch);
            return true;
        }
        waiting.addFirst(batch);
        Duration wait = FIRST_WAIT.multipliedBy(1L << Math.min(batch.attempts() - 1, DOUBLINGS));
        notBeforeNanos = System.nanoTime() + wait.toNanos();
        return false;
    }

    private void giveUp(Batch batch) {
        String reason = "failed " + batch.attempts() + " times";
        log.warn(
                "stream_records_given_up",
                Map.of(
                        "function",
                        functionName,
                        "records",
                        batch.records().size(),
                        "reason",
                        reason,
                        "see",
                        DeadLettersPage.PATH));
        batch.records()
                .forEach(event ->
                        deadLetters.add(new DeadLetters.DeadLetter(functionName, clock.instant(), reason, event)));
    }
}
