package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.gateway.AdmissionCheck.Admitted;
import dev.agenthealth.functions.gateway.a2a.A2aMessage;
import dev.agenthealth.functions.gateway.a2a.A2aOptions;
import dev.agenthealth.functions.gateway.a2a.A2aRequest;
import dev.agenthealth.functions.runtime.outbound.CallFailedException;
import dev.agenthealth.functions.storage.invocations.ReceiptStore;
import dev.agenthealth.model.gateway.CallResult;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.gateway.Receipt;
import dev.agenthealth.model.gateway.ReceiptState;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/**
 * Executes the invocations in the queue. It drops a duplicate message, because its receipt is already running or finished. It repeats a call only
 * if nothing of the message reached the agent. Thread-safe.
 */
final class InvocationWorker {

    /** A time longer than the function's timeout. */
    static final Duration MAX_RUN = Duration.ofSeconds(120);

    private final AdmissionCheck admission;
    private final AgentCalls calls;
    private final ReceiptStore receipts;
    private final InvocationRecords records;
    private final Clock clock;

    InvocationWorker(
            AdmissionCheck admission, AgentCalls calls, ReceiptStore receipts, InvocationRecords records, Clock clock) {
        this.admission = admission;
        this.calls = calls;
        this.receipts = receipts;
        this.records = records;
        this.clock = clock;
    }

    /**
     * Executes one invocation, unless its receipt is running or finished already.
     *
     * @return the time after which the queue must deliver the message again; empty if it is done
     */
    Optional<Duration> work(String receiptId) {
        Optional<Receipt> found = receipts.find(receiptId);
        if (found.isEmpty() || found.get().state() != ReceiptState.ACCEPTED) {
            return Optional.empty();
        }
        Receipt accepted = found.get();
        try {
            return start(accepted, admission.admitWithTrial(accepted.agentId()));
        } catch (CallFailedException e) {
            return abandon(accepted, e.reason());
        }
    }

    private Optional<Duration> start(Receipt accepted, Admitted agent) {
        Optional<String> message = receipts.message(accepted.id());
        if (message.isEmpty()) {
            return abandon(accepted, InvocationFailure.INTERRUPTED);
        }
        return receipts.start(accepted, MAX_RUN)
                .flatMap(running -> call(running, agent, A2aMessage.stored(message.get())));
    }

    private Optional<Duration> call(Receipt running, Admitted agent, A2aMessage message) {
        AgentCalls.Resolution resolution;
        try {
            resolution = calls.resolve(agent, running.timeout());
            records.trials().begin(agent);
        } catch (CallFailedException e) {
            return abandon(running, e.reason());
        }
        A2aOptions options = running.terms().early() ? A2aOptions.EARLY : A2aOptions.DEFAULT;
        CallResult result = calls.call(
                agent,
                resolution,
                version -> A2aRequest.send(version, message, options, running.id()),
                running.trace(),
                running.timeout());
        if (result.failure().filter(running::mayBeRepeatedAfter).isPresent()) {
            records.trials().ended(agent, result, running.timeout());
            return receipts.postpone(running) ? Optional.of(running.pause()) : Optional.empty();
        }
        records.record(running, agent, result, true);
        return Optional.empty();
    }

    private Optional<Duration> abandon(Receipt receipt, InvocationFailure reason) {
        receipts.abandon(receipt, CallResult.failure(reason, clock.instant(), 0));
        return Optional.empty();
    }
}
