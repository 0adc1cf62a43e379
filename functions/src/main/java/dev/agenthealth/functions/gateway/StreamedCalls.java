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
import dev.agenthealth.functions.gateway.a2a.StreamedAnswer;
import dev.agenthealth.functions.gateway.a2a.TaskQuery;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.outbound.CallFailedException;
import dev.agenthealth.functions.runtime.outbound.HttpStream;
import dev.agenthealth.functions.storage.invocations.CallPermitStore;
import dev.agenthealth.functions.storage.invocations.ReceiptStore;
import dev.agenthealth.model.gateway.CallResult;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.gateway.Receipt;
import dev.agenthealth.model.gateway.TraceContext;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.registry.profile.A2aVersion;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
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

    private static final byte[] COMMENT = ": \n\n".getBytes(StandardCharsets.UTF_8);

    private final InvocationRate rate;
    private final AdmissionCheck admission;
    private final TaskAccess access;
    private final AgentCalls calls;
    private final CallConcurrency concurrency;
    private final IdempotencyRecords idempotency;
    private final ReceiptStore receipts;
    private final InvocationRecords records;
    private final PushSubscriptions pushes;
    private final Log log;
    private final Clock clock;

    StreamedCalls(
            InvocationRate rate,
            AdmissionCheck admission,
            TaskAccess access,
            AgentCalls calls,
            CallConcurrency concurrency,
            IdempotencyRecords idempotency,
            ReceiptStore receipts,
            InvocationRecords records,
            PushSubscriptions pushes,
            Log log,
            Clock clock) {
        this.rate = rate;
        this.admission = admission;
        this.access = access;
        this.calls = calls;
        this.concurrency = concurrency;
        this.idempotency = idempotency;
        this.receipts = receipts;
        this.records = records;
        this.pushes = pushes;
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

        private byte[] part(JsonNode part) {
            return form.part(A2aResult.of(part, version));
        }

        private byte[] error(A2aError error) {
            return form.end(error);
        }
    }

    /** Records the end of a stream. */
    private interface End {

        /** Records the task that the agent works on. */
        void began(JsonNode part);

        void ended(CallResult result);

        /** Records that the caller or the gateway ended the stream, which says nothing about the agent. */
        void interrupted();

        String receiptId();
    }

    /** The end of a stream that is no invocation. It records nothing. */
    private static final End NOT_KEPT = new End() {

        @Override
        public void began(JsonNode part) {}

        @Override
        public void ended(CallResult result) {}

        @Override
        public void interrupted() {}

        @Override
        public String receiptId() {
            return "";
        }
    };

    /**
     * Sends a message, and answers with a stream of the agent's answer.
     *
     * @param request the request, without an identity, as the parts of a stream are not kept
     * @param refused returns the response if no answer begins
     * @throws ApiError as {@link SyncInvocations#run}
     */
    ApiResponse send(InvocationRequest request, Format format, Function<Receipt, ApiResponse> refused) {
        rate.take(request.caller());
        String agentId = request.agentId();
        Admitted agent = AdmissionCheck.orProblem(agentId, () -> admission.admit(agentId));
        access.check(request.caller(), agentId, request.message().taskIds());
        String receiptId = IdempotencyRecords.newReceiptId();
        CallConcurrency.Held held = concurrency.hold(request.caller(), agent, receiptId, MAX_RUN);
        return releasing(held, () -> {
            Resolution resolution = AdmissionCheck.orProblem(agentId, () -> calls.resolve(agent, MAX_HEAD));
            Optional<PushSubscriptions.Begun> push = pushes.begin(request, agent);
            A2aOptions options = push.map(begun -> request.options().notifying(begun.forAgent()))
                    .orElse(request.options());
            Receipt running = Receipt.synchronous(
                    receiptId,
                    agentId,
                    request.caller().keyId(),
                    MAX_STREAM,
                    request.trace(),
                    clock.instant(),
                    MAX_RUN);
            idempotency.create(running, request.identity());
            Instant start = clock.instant();
            try {
                Opened opened = calls.open(
                        agent,
                        resolution,
                        version -> A2aRequest.stream(version, request.message(), options, receiptId),
                        request.trace(),
                        MAX_HEAD,
                        MAX_STREAM);
                return ApiResponse.events(new Passing(opened, held, format, ofInvocation(running, agent, push)))
                        .with(A2aFront.RECEIPT_HEADER, receiptId);
            } catch (CallFailedException e) {
                CallResult failed = calls.notBegun(agent, e, start, MAX_HEAD);
                records.record(running, agent.stored(), failed, false);
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
        rate.take(caller);
        Admitted agent = AdmissionCheck.orProblem(agentId, () -> admission.admit(agentId));
        access.check(caller, agentId, List.of(task.taskId()));
        String requestId = IdempotencyRecords.newReceiptId();
        CallConcurrency.Held held = concurrency.hold(caller, agent, requestId, MAX_RUN);
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
                return ApiResponse.events(new Passing(opened, held, format, NOT_KEPT));
            } catch (CallFailedException e) {
                return refused.apply(calls.notBegun(agent, e, start, MAX_HEAD));
            }
        });
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

    private End ofInvocation(Receipt running, Admitted agent, Optional<PushSubscriptions.Begun> push) {
        return new End() {

            @Override
            public void began(JsonNode part) {
                access.allow(running, part);
                pushes.returned(push, part);
            }

            @Override
            public void ended(CallResult result) {
                records.record(running, agent.stored(), result, false);
            }

            @Override
            public void interrupted() {
                receipts.abandon(running, CallResult.failure(InvocationFailure.INTERRUPTED, clock.instant(), 0));
            }

            @Override
            public String receiptId() {
                return running.id();
            }
        };
    }

    /** A stream from the agent to the caller. */
    private final class Passing implements ApiResponse.Stream {

        private final Opened opened;
        private final CallConcurrency.Held held;
        private final Format format;
        private final End end;
        private final StreamedAnswer answer = new StreamedAnswer();
        private boolean began;
        private boolean ended;

        Passing(Opened opened, CallConcurrency.Held held, Format format, End end) {
            this.opened = opened;
            this.held = held;
            this.format = format;
            this.end = end;
        }

        @Override
        public void writeTo(OutputStream out) throws IOException {
            try (HttpStream stream = opened.stream()) {
                // If the caller has already left, nothing is read from the agent.
                out.write(COMMENT);
                pass(stream, out);
            } finally {
                held.giveBack();
                if (!ended) {
                    keep(end::interrupted);
                }
            }
        }

        private void pass(HttpStream stream, OutputStream out) throws IOException {
            try {
                Optional<String> next = stream.next();
                while (next.isPresent()) {
                    if (!next.get().isEmpty()) {
                        pass(next.get(), out);
                    } else if (stream.silence().compareTo(MAX_SILENCE) >= 0) {
                        throw new CallFailedException(InvocationFailure.TIMEOUT);
                    } else {
                        out.write(COMMENT);
                    }
                    next = ended ? Optional.empty() : stream.next();
                }
                if (!ended) {
                    Optional<InvocationFailure> failure = answer.failure(stream.isFramed());
                    if (failure.isPresent() && !failure.get().isTask()) {
                        throw new CallFailedException(failure.get());
                    }
                    end(failure, "");
                }
            } catch (CallFailedException e) {
                if (stream.isOver()) {
                    out.write(format.error(A2aError.of(
                            A2aError.NOT_CALLED,
                            "A stream lasts for " + MAX_STREAM.toMinutes()
                                    + " minutes at most. Subscribe to the task to go on.",
                            "stream_time_limit")));
                } else {
                    CallResult result = end(Optional.of(e.reason()), e.returned());
                    out.write(format.error(A2aFront.failure(result, end.receiptId())));
                }
            }
        }

        /** Passes on an event. The end is recorded before the caller receives it. */
        private void pass(String event, OutputStream out) throws IOException {
            JsonNode part = opened.wire().read(event.getBytes(StandardCharsets.UTF_8));
            answer.add(part);
            if (!began && A2aResult.taskId(part).isPresent()) {
                began = true;
                end.began(part);
            }
            if (answer.hasEnded()) {
                end(answer.failure(true), "");
            }
            out.write(format.part(part));
        }

        private CallResult end(Optional<InvocationFailure> failure, String returned) {
            ended = true;
            CallResult result = calls.ended(opened, failure, returned, MAX_STREAM);
            keep(() -> end.ended(result));
            return result;
        }

        private void keep(Runnable step) {
            try {
                step.run();
            } catch (RuntimeException e) {
                // The repair of receipts marks this invocation as interrupted later.
                log.failure("stream_end_not_stored", end.receiptId(), e);
            }
        }
    }
}
