package dev.agenthealth.functions.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.gateway.a2a.A2aCall;
import dev.agenthealth.functions.gateway.a2a.A2aError;
import dev.agenthealth.functions.gateway.a2a.A2aForm;
import dev.agenthealth.functions.gateway.a2a.A2aRequest;
import dev.agenthealth.functions.gateway.a2a.A2aResult;
import dev.agenthealth.functions.gateway.a2a.TaskQuery;
import dev.agenthealth.functions.health.AgentCards;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.PageToken;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.gateway.CallResult;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.gateway.Receipt;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The gateway as an A2A agent, in the versions 1.0 and 0.3: {@code POST /a2a/agents/{agent_id}}. Callers use their own version and binding,
 * independent of the agent's. Refusals are errors in the form of the binding. Thread-safe.
 */
final class A2aFront {

    static final String RECEIPT_HEADER = "X-Receipt-Id";

    /** The name of the query parameter for the version. */
    static final String VERSION = "A2A-Version";

    private static final String RECEIPT_ID = "receipt_id";

    /** Statuses that are answered as on other routes, because clients and proxies retry by them. */
    private static final Set<Integer> RETRIED = Set.of(429, 503);

    private final SyncInvocations sync;
    private final Optional<StreamedCalls> streams;
    private final TaskLookups tasks;
    private final AgentCards cards;
    private final PushConfigurations pushes;

    /** @param streams the streamed calls; empty if the process cannot stream */
    A2aFront(
            SyncInvocations sync,
            Optional<StreamedCalls> streams,
            TaskLookups tasks,
            AgentCards cards,
            PushConfigurations pushes) {
        this.sync = sync;
        this.streams = streams;
        this.tasks = tasks;
        this.cards = cards;
        this.pushes = pushes;
    }

    /** Answers a request of JSON-RPC. */
    ApiResponse answer(ApiRequest request) {
        A2aHttp.query(request);
        return answering(new A2aForm.JsonRpc(MissingNode.getInstance()), () -> {
            JsonNode json = A2aCall.json(request.body());
            A2aForm form = new A2aForm.JsonRpc(A2aCall.id(json));
            return answer(request, form, () -> A2aCall.of(json, version(request)));
        });
    }

    /** Answers a request with a call that the binding reads from it. */
    ApiResponse answer(ApiRequest request, A2aForm form, Supplier<A2aCall> read) {
        return answering(form, () -> {
            A2aCall call = read.get();
            return switch (call.operation()) {
                case SEND_MESSAGE -> send(request, call, form);
                case STREAM_MESSAGE -> stream(request, call, form);
                case SUBSCRIBE -> follow(request, call, form);
                case GET_TASK, CANCEL_TASK -> task(request, call, form);
                case LIST_TASKS -> list(request, call, form);
                case GET_EXTENDED_CARD -> extendedCard(request, call, form);
                case CREATE_PUSH_CONFIG -> success(form, pushes.create(request, call.push(), call.version()));
                case GET_PUSH_CONFIG -> success(form, pushes.get(request, call.push(), call.version()));
                case LIST_PUSH_CONFIGS -> success(form, pushes.list(request, call.push(), call.version()));
                case DELETE_PUSH_CONFIG -> success(form, pushes.delete(request, call.push(), call.version()));
            };
        });
    }

    /** Returns the version of a caller, by header or query (A2A 1.0 §3.6.1). */
    static String version(ApiRequest request) {
        return request.hasHeader("a2a-version") ? request.header("a2a-version") : request.query(VERSION);
    }

    private static ApiResponse answering(A2aForm form, Supplier<ApiResponse> step) {
        try {
            return step.get();
        } catch (A2aError e) {
            return error(form, e);
        } catch (ApiError e) {
            if (RETRIED.contains(e.status())) {
                throw e;
            }
            ApiResponse refused = error(form, refusal(e));
            for (Map.Entry<String, String> header : e.headers().entrySet()) {
                refused = refused.with(header.getKey(), header.getValue());
            }
            return refused;
        }
    }

    private static ApiResponse error(A2aForm form, A2aError error) {
        return ApiResponse.json(form.status(error), form.error(error));
    }

    private static ApiResponse success(A2aForm form, JsonNode result) {
        return ApiResponse.json(200, form.result(result));
    }

    private ApiResponse send(ApiRequest request, A2aCall call, A2aForm form) {
        A2aCall.Sending sending = call.message();
        InvocationRequest invocation =
                InvocationRequest.ofA2a(request, call.version(), sending.message(), sending.options());
        Receipt ended = sync.run(invocation);
        ApiResponse response;
        try {
            response = success(form, A2aResult.of(outcome(ended), call.version()));
        } catch (A2aError e) {
            response = error(form, e);
        }
        return response.with(RECEIPT_HEADER, ended.id());
    }

    /** Returns the message or task that the agent returned. The task may have failed. */
    private static JsonNode outcome(Receipt ended) {
        CallResult result = ended.result().orElseThrow();
        boolean isTask = result.failure().map(InvocationFailure::isTask).orElse(true);
        if (isTask && !result.returned().isEmpty()) {
            return Json.stored(result.returned());
        }
        throw failure(result, ended.id());
    }

    private ApiResponse stream(ApiRequest request, A2aCall call, A2aForm form) {
        StreamedCalls offered = streams.orElseThrow(() -> A2aCall.unsupported("streams here"));
        A2aCall.Sending sending = call.message();
        InvocationRequest invocation =
                InvocationRequest.ofA2a(request, call.version(), sending.message(), sending.options());
        if (!invocation.identity().isNone()) {
            throw A2aError.of(
                    A2aError.INVALID_PARAMS, "A stream takes no Idempotency-Key, as it is not kept.", "invalid_params");
        }
        return offered.send(
                invocation,
                new StreamedCalls.Format(call.version(), form),
                ended -> error(form, failure(ended.result().orElseThrow(), ended.id())));
    }

    private ApiResponse follow(ApiRequest request, A2aCall call, A2aForm form) {
        StreamedCalls offered = streams.orElseThrow(() -> A2aCall.unsupported("streams here"));
        return offered.follow(
                request.caller(),
                request.pathId("agent_id"),
                call.task(),
                InvocationRequest.trace(request),
                new StreamedCalls.Format(call.version(), form),
                failed -> error(form, failure(failed, "")));
    }

    private ApiResponse task(ApiRequest request, A2aCall call, A2aForm form) {
        TaskQuery query = call.task();
        String agentId = request.pathId("agent_id");
        CallResult result = tasks.find(request.caller(), agentId, query, InvocationRequest.trace(request));
        if (!result.succeeded()) {
            throw failure(result, "");
        }
        return success(form, A2aResult.task(Json.stored(result.returned()), call.version()));
    }

    private ApiResponse list(ApiRequest request, A2aCall call, A2aForm form) {
        A2aCall.TaskPage page = call.list(fields -> {
            String position = PageToken.positionInBody(request, call.canonicalFilters(), fields, "pageToken");
            return position.isEmpty() ? 0 : Integer.parseInt(position);
        });
        List<JsonNode> all = tasks.list(
                request.caller(), request.pathId("agent_id"), page.query(), InvocationRequest.trace(request));
        int first = Math.min(page.first(), all.size());
        int end = Math.min(all.size(), first + page.query().pageSize());
        ObjectNode result = Json.object();
        ArrayNode shown = result.putArray("tasks");
        all.subList(first, end).forEach(task -> shown.add(A2aResult.task(task, call.version())));
        String next = end == all.size() ? "" : PageToken.ofBody(request, call.canonicalFilters(), String.valueOf(end));
        result.put("nextPageToken", next).put("pageSize", shown.size()).put("totalSize", all.size());
        return success(form, result);
    }

    /** Returns the card that the agent shows to authenticated clients, with the gateway's endpoint. */
    private ApiResponse extendedCard(ApiRequest request, A2aCall call, A2aForm form) {
        String agentId = request.pathId("agent_id");
        TaskLookups.Asked asked = tasks.ask(
                request.caller(),
                agentId,
                agent -> {
                    if (!cards.hasExtended(agent.agent())) {
                        throw A2aError.of(
                                A2aError.EXTENDED_CARD_NOT_CONFIGURED,
                                "The agent has no extended card.",
                                "extended_agent_card_not_configured");
                    }
                },
                A2aRequest::extendedCard,
                InvocationRequest.trace(request));
        if (!asked.result().succeeded()) {
            throw failure(asked.result(), "");
        }
        JsonNode card = Json.stored(asked.result().returned());
        return success(
                form,
                cards.extended(
                        asked.agent(), card, call.version(), request.served().baseUrl()));
    }

    /** Returns the error of a failed call. The call may have succeeded at an earlier request, but without storing the answer. */
    static A2aError failure(CallResult result, String receiptId) {
        ObjectNode metadata = Json.object();
        if (!receiptId.isEmpty()) {
            metadata.put(RECEIPT_ID, receiptId);
        }
        InvocationFailure failure = result.failure().orElse(InvocationFailure.INTERRUPTED);
        if (failure.isRpcError() && !result.returned().isEmpty()) {
            return A2aError.ofAgent(Json.stored(result.returned()));
        }
        boolean invalid = failure == InvocationFailure.MALFORMED || failure == InvocationFailure.TOO_LARGE;
        return A2aError.of(
                        invalid ? A2aError.INVALID_AGENT_RESPONSE : A2aError.NOT_CALLED,
                        InvocationErrors.detail(failure),
                        failure.error(),
                        metadata)
                .withStatus(InvocationErrors.status(failure));
    }

    private static A2aError refusal(ApiError problem) {
        ObjectNode metadata = Json.object();
        problem.members().forEach((name, value) -> metadata.put(name, value.asText()));
        String fields = problem.errors().stream()
                .map(error -> error.field() + " " + error.message())
                .collect(Collectors.joining("; "));
        if (!fields.isEmpty()) {
            metadata.put("fields", fields);
        }
        int code =
                switch (problem.status()) {
                    case 404 ->
                        problem.error().equals(TaskAccess.NOT_FOUND) ? A2aError.TASK_NOT_FOUND : A2aError.NOT_CALLED;
                    case 400, 422 -> A2aError.INVALID_PARAMS;
                    case 413 -> A2aError.INVALID_REQUEST;
                    default -> A2aError.NOT_CALLED;
                };
        return A2aError.of(code, problem.detail(), problem.error(), metadata).withStatus(problem.status());
    }
}
