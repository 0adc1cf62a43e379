package dev.agenthealth.model.gateway;

import java.time.Instant;

/** The states of an invocation. */
public sealed interface ReceiptState {

    /** The wire name that callers see. */
    String wireName();

    /** It waits in the queue. */
    record Accepted() implements ReceiptState {
        @Override
        public String wireName() {
            return "accepted";
        }
    }

    /** The agent is being called. */
    record Running() implements ReceiptState {
        @Override
        public String wireName() {
            return "running";
        }
    }

    /** It is over. */
    sealed interface Finished extends ReceiptState {

        /** The time at which it ended. */
        Instant at();

        /** The time that the agent took, in milliseconds; 0 where it was not called. */
        long latencyMs();
    }

    /** The agent completed the request, or is working on it. */
    record Succeeded(Instant at, long latencyMs) implements Finished {
        @Override
        public String wireName() {
            return "succeeded";
        }
    }

    /** It ended without the agent's success. */
    record Failed(Instant at, long latencyMs, InvocationFailure failure) implements Finished {
        @Override
        public String wireName() {
            return "failed";
        }
    }
}
