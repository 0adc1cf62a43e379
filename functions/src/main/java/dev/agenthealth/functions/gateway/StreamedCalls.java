package dev.agenthealth.functions.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.gateway.AdmissionCheck.Admitted;
import dev.agenthealth.functions.gateway.AgentCalls.Opened;
import dev.agenthealth.functions.gateway.AgentCalls.Resolution;
import dev.agenthealth.functions.gateway.a2a.A2aError;
import dev.agenthealth.functions.gateway.a2a.A2aForm;
import dev.agenthealth.functions.gateway.a2a.A2aOptions;
import dev.agenthealth.functions.gateway.a2a.A2aRequest;
import dev.agenthealth.functions.gateway.a2a.A2aResult;
import dev.agenthealth.functions.gateway.a2a.TaskQuery;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.outbound.CallFailedException;
import dev.agenthealth.functions.storage.invocations.CallPermitStore;
import dev.agenthealth.model.gateway.CallResult;
import dev.agenthealth.model.gateway.Receipt;
import dev.agenthealth.model.gateway.TraceContext;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.registry.profile.A2aVersion;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Passes on streamed answers of agents as server-sent events. The answer to a message is an invocation, which ends with the stream. A stream that
 * follows a task is no invocation. Each stream holds the permits of a call and a thread of the process. Thread-safe.
 */
final class StreamedCalls {

    /** The time after which the gateway ends a stream. */
    static final Duration MAX_STREAM = Duration.ofMinutes(15);

    /** The time without a byte of the agent after which the stream counts as timed out. */
    static final Duration MAX_SILENCE = Duration.ofMinutes(5);

    /** The maximum time until an answer begins. */
    private static final Duration MAX_HEAD = Duration.ofSeconds(25);

    /** A time longer than any stream. */
    private static final Duration MAX_RUN = CallPermitStore.MAX_HELD;

    private final CallGuard guard;
    private final AgentCalls calls;
    private final StreamReceipts receipts;
    private final Log log;
    private final Clock clock;

    StreamedCalls(CallGuard guard, AgentCalls calls, StreamReceipts receipts, Log log, Clock clock) {
        this.guard = guard;
        this.calls = calls;
        this.receipts = receipts;
        this.log = log;
        this.clock = clock;
    }

    /**
     * The format of a stream for a caller.
     *
     * @param version the version of the parts
     * @param form the form of the caller's binding
     */
    record Format(A2aVersion version, A2aForm form) {

        byte[] part(JsonNode part) {
            return form.part(A2aResult.of(part, version));
        }

        byte[] error(A2aError error) {
            return form.end(error);
        }
    }

    /**
     * Sends a message, and answers with a stream of the agent's answer.
     *
     * @param request the request, without an identity, as the parts of a stream are not kept
     * @param refused returns the response if no answer begins
     * @throws ApiError as {@link SyncInvocations#run}
     */
    ApiResponse send(InvocationRequest request, Format format, Function<Receipt, ApiResponse> refused) {
        guard.takeRate(request.caller());
        String agentId = request.agentId();
        Admitted agent =
                guard.admit(request.caller(), agentId, request.message().taskIds());
        String receiptId = IdempotencyRecords.newReceiptId();
        CallConcurrency.Held held = guard.hold(request.caller(), agent, receiptId, MAX_RUN);
        return releasing(held, () -> {
            Resolution resolution = AdmissionCheck.orProblem(agentId, () -> calls.resolve(agent, MAX_HEAD));
            AdmissionCheck.orProblem(agentId, () -> receipts.beginTrial(agent));
            Optional<PushSubscriptions.Begun> push = receipts.beginPush(request, agent);
            A2aOptions options = push.map(begun -> request.options().notifying(begun.forAgent()))
                    .orElse(request.options());
            Receipt running = Receipt.synchronous(
                            receiptId,
                            agentId,
                            request.caller().keyId(),
                            MAX_STREAM,
                            request.trace(),
                            clock.instant(),
                            MAX_RUN)
                    .ofVersion(agent.version());
            receipts.create(running);
            Instant start = clock.instant();
            try {
                Opened opened = calls.open(
                        agent,
                        resolution,
                        version -> A2aRequest.stream(version, request.message(), options, receiptId),
                        request.trace(),
                        MAX_HEAD,
                        MAX_STREAM);
                return ApiResponse.events(relay(opened, held, format, receipts.endOf(running, agent, push)))
                        .with(A2aFront.RECEIPT_HEADER, receiptId);
            } catch (CallFailedException e) {
                CallResult failed = calls.notBegun(agent, e, start, MAX_HEAD);
                receipts.notBegun(running, agent, failed);
                return refused.apply(running.ended(failed, true)).with(A2aFront.RECEIPT_HEADER, receiptId);
            }
        });
    }

    /**
     * Answers with a stream of the future changes of a task.
     *
     * @param refused returns the response if no answer begins
     * @throws ApiError as {@link TaskLookups#ask}; 404 if the task belongs to another caller
     */
    ApiResponse follow(
            Caller caller,
            String agentId,
            TaskQuery task,
            TraceContext trace,
            Format format,
            Function<CallResult, ApiResponse> refused) {
        guard.takeRate(caller);
        Admitted agent = guard.admit(agentId);
        guard.checkAccess(caller, agentId, List.of(task.taskId()));
        String requestId = IdempotencyRecords.newReceiptId();
        CallConcurrency.Held held = guard.hold(caller, agent, requestId, MAX_RUN);
        return releasing(held, () -> {
            Resolution resolution = AdmissionCheck.orProblem(agentId, () -> calls.resolve(agent, MAX_HEAD));
            Instant start = clock.instant();
            try {
                Opened opened = calls.open(
                        agent,
                        resolution,
                        version -> A2aRequest.subscribe(version, task.taskId(), requestId),
                        trace,
                        MAX_HEAD,
                        MAX_STREAM);
                return ApiResponse.events(relay(opened, held, format, receipts.following(agent)));
            } catch (CallFailedException e) {
                return refused.apply(calls.notBegun(agent, e, start, MAX_HEAD));
            }
        });
    }

    private StreamRelay relay(Opened opened, CallConcurrency.Held held, Format format, StreamEnd end) {
        return new StreamRelay(calls, log, opened, held, format, end);
    }

    /** Begins a stream, which releases its permits at the end. If no stream begins, the permits are released now. */
    private static ApiResponse releasing(CallConcurrency.Held held, Supplier<ApiResponse> begin) {
        boolean begun = false;
        try {
            ApiResponse response = begin.get();
            begun = response.stream().isPresent();
            return response;
        } finally {
            if (!begun) {
                held.giveBack();
            }
        }
    }
}
