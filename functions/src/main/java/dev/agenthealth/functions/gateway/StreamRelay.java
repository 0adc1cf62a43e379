package dev.agenthealth.functions.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.gateway.AgentCalls.Opened;
import dev.agenthealth.functions.gateway.a2a.A2aError;
import dev.agenthealth.functions.gateway.a2a.A2aResult;
import dev.agenthealth.functions.gateway.a2a.StreamedAnswer;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.outbound.CallFailedException;
import dev.agenthealth.functions.runtime.outbound.HttpStream;
import dev.agenthealth.model.gateway.CallResult;
import dev.agenthealth.model.gateway.InvocationFailure;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** A stream from an agent to a caller. It returns its permits and records its end, even if the caller leaves early. */
final class StreamRelay implements ApiResponse.Stream {

    private static final byte[] COMMENT = ": \n\n".getBytes(StandardCharsets.UTF_8);

    private final AgentCalls calls;
    private final Log log;
    private final Opened opened;
    private final CallConcurrency.Held held;
    private final StreamedCalls.Format format;
    private final StreamEnd end;
    private final StreamedAnswer answer = new StreamedAnswer();
    private boolean began;
    private Optional<A2aResult.TaskState> state = Optional.empty();
    private boolean ended;

    StreamRelay(
            AgentCalls calls,
            Log log,
            Opened opened,
            CallConcurrency.Held held,
            StreamedCalls.Format format,
            StreamEnd end) {
        this.calls = calls;
        this.log = log;
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
                } else if (stream.silence().compareTo(StreamedCalls.MAX_SILENCE) >= 0) {
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
                        "A stream lasts for " + StreamedCalls.MAX_STREAM.toMinutes()
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
        Optional<A2aResult.TaskState> now = A2aResult.taskState(part);
        if (now.isPresent() && !now.equals(state)) {
            state = now;
            keep(() -> end.changed(part));
        }
        if (answer.hasEnded()) {
            end(answer.failure(true), "");
        }
        out.write(format.part(part));
    }

    private CallResult end(Optional<InvocationFailure> failure, String returned) {
        ended = true;
        CallResult result = calls.ended(opened, failure, returned, StreamedCalls.MAX_STREAM);
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
