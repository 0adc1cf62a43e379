package dev.agenthealth.functions.gateway.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.outbound.CallFailedException;
import dev.agenthealth.model.gateway.InvocationFailure;
import java.util.Optional;

/** Tracks the progress of a streamed answer of an agent. Not thread-safe. */
public final class StreamedAnswer {

    private String state = "";
    private boolean ended;

    /**
     * Takes the next part.
     *
     * @throws CallFailedException if it is no A2A result
     */
    public void add(JsonNode part) {
        A2aResult.Kind kind =
                A2aResult.Kind.of(part).orElseThrow(() -> new CallFailedException(InvocationFailure.MALFORMED));
        JsonNode inner = kind.inner(part);
        switch (kind) {
            case MESSAGE -> end("completed");
            case TASK, STATUS_UPDATE -> {
                state = A2aResult.stateOf(inner);
                ended = A2aResult.isTerminal(state) || inner.path("final").asBoolean();
            }
            // A part of the output does not change the state of the task.
            case ARTIFACT_UPDATE -> state = state.isEmpty() ? "working" : state;
        }
    }

    private void end(String last) {
        state = last;
        ended = true;
    }

    /** Returns whether no part may follow. */
    public boolean hasEnded() {
        return ended;
    }

    /**
     * Returns the reason if the execution counts as failed after the last part; empty for a success. If the agent itself ends the stream, it
     * continues its task, as after an answer with a running task. If the connection breaks, the agent may have stopped.
     *
     * @param whole whether the agent ended the stream
     */
    public Optional<InvocationFailure> failure(boolean whole) {
        return switch (state) {
            case "completed", "input-required", "auth-required" -> Optional.empty();
            case "rejected" -> Optional.of(InvocationFailure.TASK_REJECTED);
            case "failed", "canceled" -> Optional.of(InvocationFailure.TASK_FAILED);
            case "submitted", "working" ->
                ended || whole ? Optional.empty() : Optional.of(InvocationFailure.CONNECTION_LOST);
            default -> Optional.of(InvocationFailure.MALFORMED);
        };
    }
}
