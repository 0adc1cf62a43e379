package dev.agenthealth.local.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.model.outcome.Outcome;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Brings the outcomes of one agent to the registry, in batches that are sent until they are answered. Not thread-safe. */
final class Reports {

    private final String agentId;
    private final Reporting reporting;
    private final RegistryHttp reporter;
    private final Deque<Batch> waiting = new ArrayDeque<>();
    private final List<Sent> sent = new ArrayList<>();

    /** Ids of batches of which nobody knows whether they arrived the first time. */
    private final Set<String> unsure = new HashSet<>();

    private int batches;
    private int repeats;
    private int unexpectedAnswers;

    /**
     * A batch that was sent.
     *
     * @param batch the batch
     * @param at when it was sent first
     */
    record Sent(Batch batch, Instant at) {}

    /**
     * @param reporter the registry with the key of whoever reports
     */
    Reports(String agentId, Reporting reporting, RegistryHttp reporter) {
        this.agentId = agentId;
        this.reporting = reporting;
        this.reporter = reporter;
    }

    /** Has these outcomes reported. */
    void add(List<Outcome> outcomes) {
        for (int from = 0; from < outcomes.size(); from += Outcome.MAX_BATCH) {
            int to = Math.min(outcomes.size(), from + Outcome.MAX_BATCH);
            waiting.addLast(new Batch("batch-" + ++batches, outcomes.subList(from, to)));
        }
    }

    /** Puts the batch that waits longest on a heartbeat, if outcomes go that way. */
    void ride(ObjectNode heartbeat) {
        if (reporting == Reporting.ON_HEARTBEATS && !waiting.isEmpty()) {
            waiting.getFirst().putInto(heartbeat);
        }
    }

    /** Takes note of what the answer to a heartbeat says of the outcomes that rode on it. */
    void rode(JsonNode answer, Instant now) {
        if (reporting == Reporting.ON_HEARTBEATS && !waiting.isEmpty()) {
            JsonNode outcomes = answer.path("outcomes");
            int status = outcomes.path("status_code").asInt(RegistryHttp.Answer.NO_ANSWER);
            settle(waiting.removeFirst(), new RegistryHttp.Answer(status, outcomes), now);
        }
    }

    /** Sends the batches that wait, if outcomes go in requests of their own. */
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

    /** Has a batch that was sent wait again where no answer came or where it is lost, and judges the answer otherwise. */
    private void settle(Batch batch, RegistryHttp.Answer answer, Instant now) {
        boolean repeated = sent.stream().anyMatch(known -> known.batch().id().equals(batch.id()));
        if (repeated) {
            repeats++;
        } else {
            sent.add(new Sent(batch, now));
        }
        if (answer.status() == RegistryHttp.Answer.NO_ANSWER) {
            unsure.add(batch.id());
            waiting.addLast(batch);
            return;
        }
        boolean duplicate = answer.json().path("duplicate").asBoolean();
        if (answer.status() != 202 || duplicate != repeated && !unsure.contains(batch.id())) {
            unexpectedAnswers++;
        }
        if (!repeated && reporting == Reporting.BY_REQUEST_LOSING_ANSWERS) {
            waiting.addLast(batch);
        }
    }

    /** Every batch that was sent, once, in order. */
    List<Sent> sent() {
        return List.copyOf(sent);
    }

    /** How many batches were sent again. */
    int repeats() {
        return repeats;
    }

    /** Answers that say anything else than that a batch is taken, and as a duplicate only where it is one. */
    int unexpectedAnswers() {
        return unexpectedAnswers;
    }
}
