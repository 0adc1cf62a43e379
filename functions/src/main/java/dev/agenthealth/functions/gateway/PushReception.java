package dev.agenthealth.functions.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.gateway.a2a.A2aResult;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.json.UnreadableJsonException;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.invocations.PushStore;
import dev.agenthealth.functions.storage.invocations.PushStore.Push;
import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.identity.Ids;
import dev.agenthealth.model.identity.KeyAction;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Receives the notifications of agents at {@code POST /a2a/agents/{agent_id}/notifications/{push_id}}, and queues them for their callers. The
 * secret of the address authenticates the agent. Thread-safe.
 */
final class PushReception {

    /** The maximum number of notifications for one configuration. */
    static final int MAX_NOTIFICATIONS = 1_000;

    /** The number of notifications at once. After that, one per second and configuration is accepted, as callers share the queue. */
    static final int BURST = 100;

    /** The number of further notifications that may report the end of the task. */
    static final int MAX_ENDS = 10;

    /** The maximum size of a notification that fits into an item of the table. Parts are longer in version 0.3. */
    private static final int MAX_BYTES = 400_000;

    private static final String BEARER = "Bearer ";

    private final PushStore store;
    private final TaskAccess tasks;
    private final AdmissionCheck admission;
    private final Authenticator authenticator;
    private final InvocationQueue queue;
    private final Log log;
    private final Clock clock;

    PushReception(
            PushStore store,
            TaskAccess tasks,
            AdmissionCheck admission,
            Authenticator authenticator,
            InvocationQueue queue,
            Log log,
            Clock clock) {
        this.store = store;
        this.tasks = tasks;
        this.admission = admission;
        this.authenticator = authenticator;
        this.queue = queue;
        this.log = log;
        this.clock = clock;
    }

    /**
     * Accepts a notification.
     *
     * @return 204
     * @throws ApiError 404 if the address does not exist, its secret is wrong, or the requesting key may no longer call agents; 403 if the agent is
     *     blocked; 400 if the body is no notification about the task; 413 if it is too large; 429 after too many; 503 if the queue does not accept
     *     it
     */
    ApiResponse receive(ApiRequest request) {
        String agentId = request.pathText("agent_id");
        Push push = Optional.of(request.pathText("push_id"))
                .filter(id -> Ids.isValid(agentId) && Ids.isValid(id))
                .flatMap(id -> store.at(agentId, id))
                .filter(found -> knowsSecret(request, found))
                .filter(found -> mayCall(found.keyId()))
                .orElseThrow(() ->
                        ApiError.notFound("notification_not_expected", "No notification is expected at this address."));
        StoredAgent agent = AdmissionCheck.orProblem(agentId, () -> admission.unblocked(agentId));
        JsonNode result = A2aResult.notification(json(request))
                .orElseThrow(() -> ApiError.malformed("The body is no task or update of A2A."));
        Optional<String> shown =
                A2aResult.notification(result, push.subscriber().version()).map(Json::text);
        if (shown.filter(text -> text.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES)
                .isPresent()) {
            throw ApiError.tooLarge(
                    "In the caller's version, a notification may have at most " + MAX_BYTES + " bytes.");
        }
        String taskId = A2aResult.taskId(result).orElseThrow();
        if (push.taskId().isEmpty() && store.bind(push, taskId)) {
            tasks.allow(agentId, taskId, push.keyId());
        } else if (!push.taskId().equals(taskId)) {
            throw ApiError.invalid(List.of(new FieldError("taskId", "must be the task of this address")));
        }
        tasks.seen(agent, result);
        shown.ifPresent(text -> queue(push, text, A2aResult.isEnd(result)));
        return ApiResponse.noContent();
    }

    /** Returns whether a key is in force and may call agents. */
    private boolean mayCall(String keyId) {
        return authenticator
                .issuer(new Owner(keyId, KeyHash.NONE))
                .filter(caller -> caller.limits().allows(KeyAction.INVOKE))
                .isPresent();
    }

    /** Returns whether a request contains the secret. Agents send it in the header of A2A, in the header of HTTP, or in both. */
    private static boolean knowsSecret(ApiRequest request, Push push) {
        String authorization = request.header("authorization");
        String bearer = authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? authorization.substring(BEARER.length()).trim()
                : "";
        return List.of(request.header("x-a2a-notification-token"), bearer).stream()
                .filter(secret -> !secret.isEmpty())
                .anyMatch(secret -> KeyHash.ofKey(secret).equals(push.secret()));
    }

    private static JsonNode json(ApiRequest request) {
        try {
            return Json.received(request.body());
        } catch (UnreadableJsonException e) {
            throw ApiError.malformed("The body " + e.getMessage() + ".");
        }
    }

    private void queue(Push push, String shown, boolean end) {
        long seconds =
                Math.max(0, Duration.between(push.begunAt(), clock.instant()).toSeconds());
        int allowed = (int) Math.min(MAX_NOTIFICATIONS, BURST + seconds);
        OptionalInt number = store.count(push, end ? allowed + MAX_ENDS : allowed);
        if (number.isEmpty()) {
            throw ApiError.tooManyRequests(
                    "For one configuration, " + BURST + " notifications are sent at once, then one a second, and "
                            + MAX_NOTIFICATIONS + " in all.",
                    Duration.ofSeconds(1));
        }
        store.put(push, number.getAsInt(), shown);
        try {
            queue.send(PushDelivery.message(push, number.getAsInt()));
        } catch (RuntimeException e) {
            log.failure("notification_not_queued", push.agentId(), e);
            throw ApiError.busy();
        }
    }
}
