package dev.agenthealth.local.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.model.registry.outcome.Outcome;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reports the outcomes of one agent in batches and sends each batch until it is answered. Not thread-safe. */
final class Reports {

    private final String agentId;
    private final Reporting reporting;
    private final RegistryHttp reporter;
    private final Deque<Batch> waiting = new ArrayDeque<>();
    private final List<Sent> sent = new ArrayList<>();

    /** The ids of batches without an answer; the registry may have received them. */
    private final Set<String> maybeArrived = new HashSet<>();

    private int batches;
    private int repeats;
    private int unexpectedAnswers;

    /**
     * A batch that was sent.
     *
     * @param batch the batch
     * @param at when it was first sent
     */
    record Sent(Batch batch, Instant at) {}

    /**
     * @param reporter the registry with the key of the reporter
     */
    Reports(String agentId, Reporting reporting, RegistryHttp reporter) {
        this.agentId = agentId;
        this.reporting = reporting;
        this.reporter = reporter;
    }

    /** Queues outcomes. */
    void add(List<Outcome> outcomes) {
        for (int from = 0; from < outcomes.size(); from += Outcome.MAX_BATCH) {
            int to = Math.min(outcomes.size(), from + Outcome.MAX_BATCH);
            waiting.addLast(new Batch("batch-" + ++batches, outcomes.subList(from, to)));
        }
    }

    /** Adds the oldest waiting batch to a heartbeat if outcomes are sent with heartbeats. */
    void attachTo(ObjectNode heartbeat) {
        if (reporting == Reporting.ON_HEARTBEATS && !waiting.isEmpty()) {
            waiting.getFirst().putInto(heartbeat);
        }
    }

    /** Processes the answer to a heartbeat that may have carried a batch. */
    void answered(JsonNode answer, Instant now) {
        if (reporting == Reporting.ON_HEARTBEATS && !waiting.isEmpty()) {
            JsonNode outcomes = answer.path("outcomes");
            int status = outcomes.path("status_code").asInt(RegistryHttp.Answer.NO_ANSWER);
            settle(waiting.removeFirst(), new RegistryHttp.Answer(status, outcomes), now);
        }
    }

    /** Sends the waiting batches if outcomes are sent in their own requests. */
    void send(Instant now) {
        if (reporting == Reporting.ON_HEARTBEATS) {
            return;
        }
        for (int i = waiting.size(); i > 0; i--) {
            Batch batch = waiting.removeFirst();
            ObjectNode body = JsonNodeFactory.instance.objectNode();
            batch.putInto(body);
            settle(batch, reporter.post("/api/v1/agents/" + agentId + "/outcomes", body), now);
        }
    }

    /** Queues a batch again if its answer is missing or lost; otherwise checks the answer. */
    private void settle(Batch batch, RegistryHttp.Answer answer, Instant now) {
        boolean repeated = sent.stream().anyMatch(known -> known.batch().id().equals(batch.id()));
        if (repeated) {
            repeats++;
        } else {
            sent.add(new Sent(batch, now));
        }
        if (answer.status() == RegistryHttp.Answer.NO_ANSWER) {
            maybeArrived.add(batch.id());
            waiting.addLast(batch);
            return;
        }
        boolean duplicate = answer.json().path("duplicate").asBoolean();
        if (answer.status() != 202 || duplicate != repeated && !maybeArrived.contains(batch.id())) {
            unexpectedAnswers++;
        }
        if (!repeated && reporting == Reporting.BY_REQUEST_LOSING_ANSWERS) {
            waiting.addLast(batch);
        }
    }

    /** Returns every sent batch, once, in order. */
    List<Sent> sent() {
        return List.copyOf(sent);
    }

    /** Returns the number of batches that were sent again. */
    int repeats() {
        return repeats;
    }

    /** Returns the number of unexpected answers. A batch must be accepted, and marked as a duplicate exactly if it is a duplicate. */
    int unexpectedAnswers() {
        return unexpectedAnswers;
    }
}
