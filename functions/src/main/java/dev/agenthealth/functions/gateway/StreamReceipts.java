package dev.agenthealth.functions.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.gateway.AdmissionCheck.Admitted;
import dev.agenthealth.functions.storage.invocations.ReceiptStore;
import dev.agenthealth.model.gateway.CallResult;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.gateway.Receipt;
import java.time.Clock;
import java.util.Optional;

/** Keeps the receipts of streamed invocations, from the request to the end of the stream. Thread-safe. */
final class StreamReceipts {

    private final ReceiptStore receipts;
    private final InvocationRecords records;
    private final TaskAccess access;
    private final PushSubscriptions pushes;
    private final Clock clock;

    StreamReceipts(
            ReceiptStore receipts,
            InvocationRecords records,
            TaskAccess access,
            PushSubscriptions pushes,
            Clock clock) {
        this.receipts = receipts;
        this.records = records;
        this.access = access;
        this.pushes = pushes;
        this.clock = clock;
    }

    /** Takes a trial for a call of a contained agent. */
    void beginTrial(Admitted agent) {
        records.trials().begin(agent);
    }

    /** Begins notifications about the task of a message, if its caller wants them. */
    Optional<PushSubscriptions.Begun> beginPush(InvocationRequest request, Admitted agent) {
        return pushes.begin(request, agent);
    }

    /** Stores the receipt of an invocation whose stream has not begun. */
    void create(Receipt running) {
        receipts.create(running);
    }

    /** Records that no stream began. */
    void notBegun(Receipt running, Admitted agent, CallResult failed) {
        records.record(running, agent, failed, false);
    }

    /** Returns the end of a stream that follows a task. */
    StreamEnd following(Admitted agent) {
        return part -> access.seen(agent.stored(), part);
    }

    /** Returns the end of an invocation's stream. */
    StreamEnd endOf(Receipt running, Admitted agent, Optional<PushSubscriptions.Begun> push) {
        return new StreamEnd() {

            @Override
            public void began(JsonNode part) {
                access.allow(running, part);
                pushes.returned(push, part);
            }

            @Override
            public void changed(JsonNode part) {
                access.seen(agent.stored(), part);
            }

            @Override
            public void ended(CallResult result) {
                records.record(running, agent, result, false);
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
}
