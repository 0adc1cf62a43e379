package dev.agenthealth.functions.sweep.probes;

import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.identity.Ids;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * The queue of due probes. A message holds the time of the pass and one line for each agent: its id and the number
 * of its owner. Thread-safe.
 */
public final class ProbeQueue {

    /** The maximum number of agents in a message. */
    static final int AGENTS_PER_MESSAGE = 50;

    /** The maximum number of messages that are received at once: the messages of 3,000 agents. */
    private static final int MAX_RECEIVED = 60;

    /** The limit of SQS. */
    private static final int MAX_MESSAGES = 10;

    /** With a shorter wait, SQS asks only some of its servers and may find no message. */
    private static final int WAIT_SECONDS = 1;

    private static final String SEPARATOR = "\n";

    /** Follows the time in a message if the results are not sampled. */
    private static final String NOT_SAMPLED = " unsampled";

    private static final Pattern HEADER = Pattern.compile("([0-9]{1,15})( unsampled)?");

    /** A line with an agent. The previous version sent no owners if results are not sampled. */
    private static final Pattern AGENT = Pattern.compile("(\\S+)(?: ([0-9]{1,15}))?");

    private final Supplier<SqsClient> sqs;
    private final String url;

    /** Creates the queue. The client is created on first use, because few fleets have watched agents. */
    public ProbeQueue(Wiring wiring) {
        this.sqs = wiring.sqs();
        this.url = wiring.get(FunctionSettings.PROBE_QUEUE_URL);
    }

    /**
     * A message.
     *
     * @param at the time of the pass that found the probes due
     * @param isSampled whether the results say something about the network; false for agents that are dead or past their heartbeat timeout
     */
    public record Batch(Instant at, boolean isSampled, List<Agent> agents) {

        /** The time after which the next pass has found the agents due again. */
        private static final Duration MAX_AGE = Duration.ofMinutes(2);

        boolean isOutdated(Instant now) {
            return now.isAfter(at.plus(MAX_AGE));
        }
    }

    /**
     * An agent whose probe is due.
     *
     * @param owner the {@linkplain dev.agenthealth.model.sweep.OwnerCounts#numberOf number} of its owner; {@link GroupNumber#NONE} if it is unknown
     */
    public record Agent(String agentId, long owner) {

        private String line() {
            return agentId + " " + owner;
        }
    }

    /** Divides agents into messages. */
    public static List<List<Agent>> batches(List<Agent> agents) {
        List<List<Agent>> batches = new ArrayList<>();
        for (int from = 0; from < agents.size(); from += AGENTS_PER_MESSAGE) {
            batches.add(agents.subList(from, Math.min(agents.size(), from + AGENTS_PER_MESSAGE)));
        }
        return batches;
    }

    /**
     * Sends one message, which is received at least once. Returns the number of its agents.
     *
     * @throws RuntimeException if the message may not have been sent
     */
    public int send(Batch batch) {
        String body = batch.at().toEpochMilli()
                + (batch.isSampled() ? "" : NOT_SAMPLED)
                + SEPARATOR
                + batch.agents().stream().map(Agent::line).collect(Collectors.joining(SEPARATOR));
        sqs.get().sendMessage(r -> r.queueUrl(url).messageBody(body));
        return batch.agents().size();
    }

    /**
     * Receives messages. A message that is not deleted is received again, until it goes to the dead-letter queue.
     *
     * @return the messages; empty if the queue is probably empty
     * @throws RuntimeException if the queue does not answer
     */
    List<Message> receive() {
        List<Message> received = new ArrayList<>();
        List<Message> batch;
        do {
            batch = sqs.get()
                    .receiveMessage(r ->
                            r.queueUrl(url).maxNumberOfMessages(MAX_MESSAGES).waitTimeSeconds(WAIT_SECONDS))
                    .messages();
            received.addAll(batch);
        } while (!batch.isEmpty() && received.size() < MAX_RECEIVED);
        return received;
    }

    /** Deletes messages. A message that stays is a duplicate later. */
    void delete(List<Message> messages) {
        for (int from = 0; from < messages.size(); from += MAX_MESSAGES) {
            List<Message> batch = messages.subList(from, Math.min(from + MAX_MESSAGES, messages.size()));
            // The same message may have been received twice, but the ids of a batch must differ.
            List<DeleteMessageBatchRequestEntry> entries = IntStream.range(0, batch.size())
                    .mapToObj(i -> DeleteMessageBatchRequestEntry.builder()
                            .id(Integer.toString(i))
                            .receiptHandle(batch.get(i).receiptHandle())
                            .build())
                    .toList();
            sqs.get().deleteMessageBatch(r -> r.queueUrl(url).entries(entries));
        }
    }

    /** Reads a message; empty if the sweep did not send its body. */
    static Optional<Batch> read(String body) {
        List<String> lines = List.of(body.split(SEPARATOR));
        Matcher header = HEADER.matcher(lines.get(0));
        List<Agent> agents =
                lines.stream().skip(1).flatMap(line -> agent(line).stream()).toList();
        return header.matches() && agents.size() == lines.size() - 1
                ? Optional.of(new Batch(
                        Instant.ofEpochMilli(Long.parseLong(header.group(1))), header.group(2) == null, agents))
                : Optional.empty();
    }

    private static Optional<Agent> agent(String line) {
        Matcher agent = AGENT.matcher(line);
        if (!agent.matches() || !Ids.isValid(agent.group(1))) {
            return Optional.empty();
        }
        return Optional.of(
                new Agent(agent.group(1), agent.group(2) == null ? GroupNumber.NONE : Long.parseLong(agent.group(2))));
    }
}
