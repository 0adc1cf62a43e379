package dev.agenthealth.functions.gateway.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.outbound.CallFailedException;
import dev.agenthealth.model.gateway.InvocationFailure;
import java.util.Optional;

/** The progress of an agent's answer in parts. Not thread-safe. */
public final class StreamedAnswer {

    private String state = "";
    private boolean ended;

    /**
     * Takes the next part.
     *
     * @throws CallFailedException if it is none of A2A
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
            // It leaves the state of the task as it is.
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
     * Returns why the execution counts as failed, when no more parts come; empty for a success. An agent that ends a stream goes on with its task,
     * such as if it answers with a task at work; one whose connection ends may not.
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
