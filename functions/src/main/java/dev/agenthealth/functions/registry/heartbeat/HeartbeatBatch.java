package dev.agenthealth.functions.registry.heartbeat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.api.access.PresentedCredential;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.wiring.StorageBusyException;
import dev.agenthealth.model.identity.KeyAction;
import dev.agenthealth.model.registry.lifecycle.Heartbeat;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;

/**
 * Receives many heartbeats in one request with one key: {@code POST /api/v1/heartbeats}. Each heartbeat succeeds or fails independently.
 * Thread-safe.
 */
final class HeartbeatBatch {

    private static final int MAX_HEARTBEATS = 100;
    private static final String HEARTBEATS = "heartbeats";
    private static final String AGENT_ID = "agent_id";

    private final HeartbeatReception reception;
    private final HeartbeatOutcomes outcomes;
    private final Authenticator authenticator;
    private final Executor executor;
    private final Log log;

    HeartbeatBatch(
            HeartbeatReception reception,
            HeartbeatOutcomes outcomes,
            Authenticator authenticator,
            Executor executor,
            Log log) {
        this.reception = reception;
        this.outcomes = outcomes;
        this.authenticator = authenticator;
        this.executor = executor;
        this.log = log;
    }

    /**
     * Returns the heartbeats in a body, not yet parsed.
     *
     * @throws ApiError 400 if the body is not a batch
     */
    static List<Fields> elements(ApiRequest request) {
        Fields body = HeartbeatBody.batch(request, HEARTBEATS);
        body.require(HEARTBEATS);
        List<Fields> heartbeats = body.objects(HEARTBEATS, MAX_HEARTBEATS);
        body.check();
        return heartbeats;
    }

    /**
     * Returns the results in the order of the heartbeats, and when to send the next request with all of them. Stores all heartbeats before
     * it reads any outcome, so that slow reports of some agents do not delay the heartbeats of other agents.
     *
     * @throws ApiError 401 for an invalid key; 403 for a key that may not send heartbeats
     */
    ObjectNode receive(PresentedCredential key, List<Fields> heartbeats) {
        List<Element> elements = elementsApart(heartbeats);
        String senderId = elements.stream()
                .map(Element::agentId)
                .filter(id -> !id.isEmpty())
                .findFirst()
                .orElse("");
        List<PartResult> results = joined(elements.stream()
                .map(element -> CompletableFuture.supplyAsync(() -> result(key, element, senderId), executor))
                .toList());
        if (results.stream().allMatch(result -> result.status() == 400)) {
            authenticator.caller(key, KeyAction.HEARTBEAT);
        }
        List<Optional<PartResult>> reports = takeOutcomes(elements, results);
        ObjectNode json = Json.object();
        ArrayNode array = json.putArray("results");
        for (int i = 0; i < elements.size(); i++) {
            String agentId = elements.get(i).agentId();
            ObjectNode result = array.addObject().put(AGENT_ID, agentId.isEmpty() ? null : agentId);
            results.get(i).putInto(result);
            reports.get(i).ifPresent(report -> report.putInto(result.putObject(HeartbeatOutcomes.OUTCOMES)));
        }
        results.stream()
                .mapToInt(PartResult::nextInSeconds)
                .filter(seconds -> seconds > 0)
                .min()
                .ifPresent(seconds -> json.put(Acknowledgement.NEXT_IN_SECONDS, seconds));
        return json;
    }

    /** A heartbeat of a batch. Each has its own errors. */
    private record Element(String agentId, Fields fields) {

        /** Returns whether the heartbeat has only the id of an agent, like an empty body. */
        boolean isBare() {
            return !agentId.isEmpty() && fields.names().size() == 1;
        }
    }

    private static List<Element> elementsApart(List<Fields> heartbeats) {
        Set<String> seen = new HashSet<>();
        List<Element> elements = new ArrayList<>(heartbeats.size());
        for (Fields heartbeat : heartbeats) {
            Fields fields = heartbeat.apart();
            String agentId = fields.id(AGENT_ID);
            fields.require(AGENT_ID);
            if (!agentId.isEmpty() && !seen.add(agentId)) {
                fields.refuse(AGENT_ID, "must not stand twice in one request");
            }
            elements.add(new Element(agentId, fields));
        }
        return elements;
    }

    private List<Optional<PartResult>> takeOutcomes(List<Element> elements, List<PartResult> results) {
        List<CompletableFuture<Optional<PartResult>>> reports = new ArrayList<>(elements.size());
        for (int i = 0; i < elements.size(); i++) {
            Element element = elements.get(i);
            reports.add(
                    results.get(i).takesOutcomes() && HeartbeatOutcomes.areIn(element.fields())
                            ? CompletableFuture.supplyAsync(
                                    () -> outcomes.take(element.agentId(), element.fields()), executor)
                            : CompletableFuture.completedFuture(Optional.empty()));
        }
        return joined(reports);
    }

    private PartResult result(PresentedCredential key, Element element, String senderId) {
        String agentId = element.agentId();
        try {
            if (element.isBare()) {
                element.fields().check();
                return new PartResult(
                        200,
                        reception
                                .receive(agentId, key, Heartbeat.BARE, senderId)
                                .json());
            }
            HeartbeatFields heartbeat = HeartbeatFields.read(element.fields());
            return new PartResult(
                    200, heartbeat.answer(reception.receive(agentId, key, heartbeat.heartbeat(), senderId)));
        } catch (ApiError problem) {
            if (problem.isOfCredential()) {
                throw problem;
            }
            return PartResult.refused(problem);
        } catch (StorageBusyException e) {
            log.failure("storage_busy", agentId, e);
            return PartResult.refused(ApiError.busy());
        } catch (RuntimeException e) {
            log.failure("heartbeat_failed", agentId, e);
            return PartResult.refused(ApiError.internal());
        }
    }

    private static <T> List<T> joined(List<CompletableFuture<T>> futures) {
        try {
            return futures.stream().map(CompletableFuture::join).toList();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }
}
