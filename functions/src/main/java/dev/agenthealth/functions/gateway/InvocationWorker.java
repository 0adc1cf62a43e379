package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.a2a.A2aMessage;
import dev.agenthealth.functions.outbound.AddressCheck;
import dev.agenthealth.functions.outbound.Destination;
import dev.agenthealth.functions.storage.invocations.ReceiptStore;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.gateway.Receipt;
import dev.agenthealth.model.gateway.ReceiptState;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Does the invocations that wait in the queue. A message that comes again finds its receipt taken up or finished and is dropped, so that no
 * agent is called twice; only an agent that got nothing of the message is tried again. Thread-safe.
 */
final class InvocationWorker {

    /** Longer than the function may run. */
    static final Duration MAX_RUN = Duration.ofSeconds(120);

    private final AdmissionCheck gatekeeper;
    private final AddressCheck addresses;
    private final AgentCalls calls;
    private final ReceiptStore receipts;
    private final InvocationRecords records;
    private final Clock clock;

    InvocationWorker(
            AdmissionCheck gatekeeper,
            AddressCheck addresses,
            AgentCalls calls,
            ReceiptStore receipts,
            InvocationRecords records,
            Clock clock) {
        this.gatekeeper = gatekeeper;
        this.addresses = addresses;
        this.calls = calls;
        this.receipts = receipts;
        this.records = records;
        this.clock = clock;
    }

    /**
     * Does one invocation, if it is still to be done.
     *
     * @return after how long its message is to come again; empty where it is not to come again
     */
    Optional<Duration> work(String receiptId) {
        Optional<Receipt> found = receipts.find(receiptId);
        if (found.isEmpty() || !(found.get().state() instanceof ReceiptState.Accepted)) {
            return Optional.empty();
        }
        Receipt accepted = found.get();
        Admission admission = gatekeeper.admit(accepted.agentId());
        if (admission instanceof Admission.Refused refused) {
            return abandon(accepted, refused.reason());
        }
        Optional<String> message = receipts.message(receiptId);
        if (message.isEmpty()) {
            return abandon(accepted, InvocationFailure.INTERRUPTED);
        }
        return receipts.start(accepted, MAX_RUN)
                .flatMap(running -> call(running, (Admission.Admitted) admission, A2aMessage.stored(message.get())));
    }

    private Optional<Duration> call(Receipt running, Admission.Admitted admitted, A2aMessage message) {
        Instant begun = clock.instant();
        Destination to = addresses.destination(admitted.endpoint(), running.timeout());
        Duration resolution = Duration.between(begun, clock.instant());
        if (to instanceof Destination.Forbidden) {
            return abandon(running, InvocationFailure.ENDPOINT_NOT_ALLOWED);
        }
        CallEnd end =
                calls.call(to, resolution, admitted.agent().a2aVersion(), message, running.id(), running.timeout());
        if (end instanceof CallEnd.NotDone failed && running.mayBeRepeatedAfter(failed.failure())) {
            return receipts.postpone(running) ? Optional.of(running.pause()) : Optional.empty();
        }
        records.record(running, admitted.agent(), end, true);
        return Optional.empty();
    }

    private Optional<Duration> abandon(Receipt receipt, InvocationFailure reason) {
        receipts.abandon(receipt, new ReceiptState.Failed(clock.instant(), 0, reason));
        return Optional.empty();
    }
}
