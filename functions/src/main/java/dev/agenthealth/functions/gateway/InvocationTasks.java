package dev.agenthealth.functions.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.gateway.a2a.A2aError;
import dev.agenthealth.functions.gateway.a2a.A2aResult;
import dev.agenthealth.functions.gateway.a2a.TaskQuery;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.invocations.ReceiptStore;
import dev.agenthealth.model.gateway.CallResult;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.gateway.Receipt;
import dev.agenthealth.model.gateway.ReceiptState;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.Ids;
import dev.agenthealth.model.registry.profile.A2aVersion;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * Asynchronous invocations that their callers poll and cancel. The state of a task is the receipt of its invocation. If the agent answered with a
 * task of its own that has not ended, the agent is asked for that task, and its end is stored with the receipt. Thread-safe.
 */
public final class InvocationTasks {

    private static final int MAX_ATTEMPTS = 3;
    private static final int NOT_FOUND = 404;

    private final AsyncInvocations invocations;
    private final ReceiptStore receipts;
    private final TaskLookups lookups;
    private final Clock clock;

    InvocationTasks(AsyncInvocations invocations, ReceiptStore receipts, TaskLookups lookups, Clock clock) {
        this.invocations = invocations;
        this.receipts = receipts;
        this.lookups = lookups;
        this.clock = clock;
    }

    /** The state of a task. A task that has ended keeps its state. */
    public enum State {
        /** The invocation waits, the agent is being called, or the agent works on a task of its own. */
        WORKING,
        /** The agent answered. Its own task succeeded, or needs an answer of a person. */
        COMPLETED,
        FAILED,
        CANCELLED
    }

    /**
     * A task.
     *
     * @param receipt the receipt of its invocation, with the answer of the agent if the task has ended
     * @param note a sentence about a task that works; may be empty
     */
    public record Task(Receipt receipt, State state, String note) {

        /** Returns whether the state is the last one. */
        public boolean hasEnded() {
            return state != State.WORKING;
        }

        /** Returns the last change of the state that is known. */
        public Instant updatedAt() {
            return receipt.result().map(CallResult::at).orElse(receipt.createdAt());
        }

        /**
         * Returns the answer of the agent, if the task has ended.
         *
         * @throws ApiError with the id of the receipt, if the task failed or was cancelled
         */
        public ObjectNode outcome() {
            return SyncInvocations.outcome(receipt);
        }
    }

    /**
     * Begins a task.
     *
     * @throws ApiError as {@link AsyncInvocations#accept}
     */
    public Task begin(InvocationRequest request) {
        return new Task(invocations.accepted(request), State.WORKING, "");
    }

    /** Returns a task of a caller. Empty if the key of the caller began no such task, or the task has expired. */
    public Optional<Task> find(Caller caller, String taskId) {
        return receipt(caller, taskId)
                .map(receipt -> read(receipt, running -> followed(caller, running, TaskQuery::toRead)));
    }

    private Optional<Receipt> receipt(Caller caller, String taskId) {
        return Ids.isValid(taskId)
                ? receipts.find(taskId)
                        .filter(receipt ->
                                receipt.asynchronous() && receipt.keyId().equals(caller.keyId()))
                : Optional.empty();
    }

    /**
     * The answer to a cancellation.
     *
     * @param tooLate whether the task had ended before
     * @param task the task after the cancellation; it works on if the agent does not cancel its own task
     */
    public record Cancellation(boolean tooLate, Task task) {}

    /**
     * Cancels a task. An invocation that waits is not made. If the agent is being called, its answer is dropped. If the agent works on a task of its
     * own, the agent is asked to cancel that task, and decides.
     *
     * @return empty as {@link #find}
     */
    public Optional<Cancellation> cancel(Caller caller, String taskId) {
        return receipt(caller, taskId).map(receipt -> cancelled(caller, receipt));
    }

    private Cancellation cancelled(Caller caller, Receipt first) {
        Task present = stored(first);
        for (int i = 0; i < MAX_ATTEMPTS && isInvoked(present); i++) {
            CallResult cancelled = CallResult.failure(InvocationFailure.CANCELLED, clock.instant(), 0);
            if (receipts.abandon(present.receipt(), cancelled)) {
                Receipt ended = present.receipt().ended(cancelled, false);
                return new Cancellation(false, new Task(ended, State.CANCELLED, ""));
            }
            present = receipt(caller, first.id()).map(this::stored).orElse(present);
        }
        return present.hasEnded() || isInvoked(present)
                ? new Cancellation(present.hasEnded(), present)
                : new Cancellation(false, followed(caller, present.receipt(), TaskQuery::toCancel));
    }

    /** Returns a task as it is stored, without a question to the agent. */
    private Task stored(Receipt receipt) {
        return read(receipt, running -> new Task(running, State.WORKING, ""));
    }

    /** Returns whether the invocation has not ended yet. */
    private static boolean isInvoked(Task task) {
        return !task.hasEnded() && task.receipt().state() != ReceiptState.SUCCEEDED;
    }

    /** @param running returns the task if the agent works on a task of its own */
    private Task read(Receipt receipt, Function<Receipt, Task> running) {
        return switch (receipt.state()) {
            case ACCEPTED, RUNNING -> new Task(receipt, State.WORKING, "");
            case FAILED -> failed(receipt);
            case SUCCEEDED -> answered(receipt, running);
        };
    }

    private Task failed(Receipt receipt) {
        InvocationFailure failure =
                receipt.result().flatMap(CallResult::failure).orElse(InvocationFailure.INTERRUPTED);
        return failure == InvocationFailure.CANCELLED
                ? new Task(receipt, State.CANCELLED, "")
                : new Task(failure.isTheAgents() ? withOutput(receipt) : receipt, State.FAILED, "");
    }

    private Receipt withOutput(Receipt receipt) {
        CallResult result = receipt.result().orElseThrow();
        return receipt.ended(result.returning(receipts.output(receipt.id()).orElse("")), receipt.counted());
    }

    private Task answered(Receipt stored, Function<Receipt, Task> running) {
        Receipt receipt = withOutput(stored);
        boolean runs =
                state(output(receipt)).filter(A2aResult.TaskState.RUNS::equals).isPresent();
        return runs ? running.apply(receipt) : ended(receipt);
    }

    private static JsonNode output(Receipt receipt) {
        String returned = receipt.result().orElseThrow().returned();
        return returned.isEmpty() ? Json.object() : Json.stored(returned);
    }

    private static Optional<A2aResult.TaskState> state(JsonNode output) {
        return A2aResult.taskState(output);
    }

    /** Returns the task after the last state of the agent's own task, if the agent answered with a task. */
    private static Task ended(Receipt receipt) {
        return switch (A2aResult.end(output(receipt)).orElse("")) {
            case "canceled" -> new Task(failed(receipt, InvocationFailure.CANCELLED), State.CANCELLED, "");
            case "failed" -> new Task(failed(receipt, InvocationFailure.TASK_FAILED), State.FAILED, "");
            case "rejected" -> new Task(failed(receipt, InvocationFailure.TASK_REJECTED), State.FAILED, "");
            default -> new Task(receipt, State.COMPLETED, "");
        };
    }

    private static Receipt failed(Receipt receipt, InvocationFailure failure) {
        CallResult result = receipt.result().orElseThrow();
        return receipt.ended(
                new CallResult(Optional.of(failure), result.returned(), result.at(), result.latencyMs()),
                receipt.counted());
    }

    /** Asks the agent about its own task, and stores the end of that task. */
    private Task followed(Caller caller, Receipt receipt, Function<String, TaskQuery> question) {
        JsonNode before = output(receipt);
        TaskQuery query = question.apply(A2aResult.taskId(before).orElse(""));
        CallResult asked;
        try {
            asked = lookups.find(caller, receipt.agentId(), query, receipt.trace());
        } catch (ApiError e) {
            return e.status() == NOT_FOUND ? lost(receipt) : new Task(receipt, State.WORKING, e.detail());
        }
        if (asked.succeeded()) {
            return noted(receipt, before, Json.stored(asked.returned()));
        }
        boolean forgotten = !query.cancels()
                && !asked.returned().isEmpty()
                && Json.stored(asked.returned()).path("code").asInt() == A2aError.TASK_NOT_FOUND;
        return forgotten
                ? lost(receipt)
                : new Task(
                        receipt,
                        State.WORKING,
                        InvocationErrors.detail(asked.failure().orElse(InvocationFailure.INTERRUPTED)));
    }

    /** Returns a task whose agent is no longer registered, or does not know its own task any more. */
    private static Task lost(Receipt receipt) {
        return new Task(failed(receipt, InvocationFailure.TASK_FAILED), State.FAILED, "");
    }

    /** @param found the agent's own task, in the form in which the agent returns a task that it is asked for */
    private Task noted(Receipt receipt, JsonNode before, JsonNode found) {
        A2aVersion version = before.has("kind") ? A2aVersion.V0_3 : A2aVersion.V1_0;
        JsonNode output = A2aResult.of(A2aResult.notification(found).orElse(found), version);
        boolean goesOn = state(output).map(A2aResult.TaskState.RUNS::equals).orElse(true);
        if (goesOn) {
            return new Task(receipt, State.WORKING, "");
        }
        receipts.putOutput(receipt, Json.text(output));
        CallResult result = receipt.result().orElseThrow();
        return ended(receipt.ended(result.returning(Json.text(output)), receipt.counted()));
    }
}
