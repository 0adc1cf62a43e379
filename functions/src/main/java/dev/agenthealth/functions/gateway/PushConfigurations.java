package dev.agenthealth.functions.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.gateway.a2a.A2aCall;
import dev.agenthealth.functions.gateway.a2a.A2aError;
import dev.agenthealth.functions.gateway.a2a.A2aRequest;
import dev.agenthealth.functions.gateway.a2a.PushConfig;
import dev.agenthealth.functions.health.AgentCards;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.invocations.PushStore;
import dev.agenthealth.functions.storage.invocations.PushStore.Push;
import dev.agenthealth.model.gateway.CallResult;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.registry.profile.A2aVersion;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A caller's configurations of notifications about tasks. Answers contain no secret of the caller, and configurations of other keys do not exist
 * for a caller. Thread-safe.
 */
final class PushConfigurations {

    private final PushStore store;
    private final PushSubscriptions subscriptions;
    private final AgentCards cards;
    private final CallGuard guard;
    private final TaskLookups agents;

    PushConfigurations(
            PushStore store, PushSubscriptions subscriptions, AgentCards cards, CallGuard guard, TaskLookups agents) {
        this.store = store;
        this.subscriptions = subscriptions;
        this.cards = cards;
        this.guard = guard;
        this.agents = agents;
    }

    /**
     * Sets a configuration, and replaces the key's configuration with the same id.
     *
     * @throws ApiError as {@link TaskLookups#ask} and {@link PushSubscriptions#begin}, 404 if the task belongs to another caller
     * @throws A2aError if the agent refuses it
     */
    JsonNode create(ApiRequest request, A2aCall.PushCall call, A2aVersion version) {
        Caller caller = request.caller();
        PushTarget target = new PushTarget(
                call.config().orElseThrow(), version, request.served().baseUrl());
        AtomicReference<PushSubscriptions.Begun> begun = new AtomicReference<>();
        boolean done = false;
        try {
            CallResult result = agents.ask(
                            caller,
                            request.pathId("agent_id"),
                            agent -> {
                                guard.checkAccess(caller, agent.id(), List.of(call.taskId()));
                                begun.set(subscriptions.begin(caller, agent, target, call.taskId()));
                            },
                            (spoken, id) -> A2aRequest.createPush(
                                    spoken, call.taskId(), begun.get().forAgent(), id),
                            InvocationRequest.trace(request))
                    .result();
            if (!result.succeeded()) {
                throw A2aFront.failure(result, "");
            }
            done = store.bind(begun.get().push(), call.taskId());
            if (!done) {
                throw ApiError.conflict(
                        "push_configuration_changed",
                        "Another request changed the configurations of the task. Try again.");
            }
            return shown(call.id(), target.config(), call.taskId(), version);
        } finally {
            if (!done && begun.get() != null) {
                subscriptions.withdraw(begun.get().push());
            }
        }
    }

    /**
     * Shows a configuration.
     *
     * @throws ApiError 404 if the caller has none with this id for the task, 429 as {@link TaskLookups#ask}
     * @throws A2aError if the caller has none and the agent's card promises no notifications
     */
    JsonNode get(ApiRequest request, A2aCall.PushCall call, A2aVersion version) {
        Map<String, Push> all = found(request, call);
        boolean theOnlyOne = version == A2aVersion.V0_3 && call.id().equals(call.taskId()) && all.size() == 1;
        String id = theOnlyOne ? all.keySet().iterator().next() : call.id();
        Push found = all.get(id);
        if (found == null) {
            throw ApiError.notFound(TaskAccess.NOT_FOUND, "The key has no such configuration for the task.");
        }
        return shown(id, subscriptions.open(found), call.taskId(), version);
    }

    /** Shows all configurations of the caller for a task. Throws as {@link #get} if the task belongs to another caller. */
    JsonNode list(ApiRequest request, A2aCall.PushCall call, A2aVersion version) {
        ObjectNode result = Json.object();
        ArrayNode configs = result.putArray("configs");
        found(request, call)
                .forEach((id, push) -> configs.add(shown(id, subscriptions.open(push), call.taskId(), version)));
        return version == A2aVersion.V0_3 ? configs : result.put("nextPageToken", "");
    }

    /**
     * Ends a configuration, even if it does not exist. If the agent cannot be reached, it keeps an address at which the gateway accepts nothing.
     *
     * @throws ApiError and A2aError as {@link #list}
     */
    JsonNode delete(ApiRequest request, A2aCall.PushCall call, A2aVersion version) {
        Push found = found(request, call).get(call.id());
        if (found != null) {
            store.remove(found, call.taskId());
            try {
                agents.ask(
                        request.caller(),
                        found.agentId(),
                        agent -> {},
                        (spoken, id) ->
                                A2aRequest.deletePush(spoken, call.taskId(), PushSubscriptions.idForAgent(found), id),
                        InvocationRequest.trace(request));
            } catch (ApiError e) {
                // The agent is blocked, gone or busy. The configuration ends nevertheless.
            }
        }
        return version == A2aVersion.V0_3 ? NullNode.getInstance() : Json.object();
    }

    private Map<String, Push> found(ApiRequest request, A2aCall.PushCall call) {
        Caller caller = request.caller();
        String agentId = request.pathId("agent_id");
        guard.takeRate(caller);
        Map<String, Push> found = store.ofTask(agentId, call.taskId(), caller.keyId());
        if (found.isEmpty()) {
            if (!cards.pushes(agentId)) {
                throw A2aCall.pushNotSupported();
            }
            guard.checkAccess(caller, agentId, List.of(call.taskId()));
        }
        return found;
    }

    private static JsonNode shown(String id, PushConfig config, String taskId, A2aVersion version) {
        return config.withoutSecrets().withId(id).ofTask(taskId, version);
    }
}
