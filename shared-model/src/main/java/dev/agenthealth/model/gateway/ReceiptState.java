package dev.agenthealth.model.gateway;

import java.time.Instant;

/** How far an invocation is. */
public sealed interface ReceiptState {

    /** The wire name that callers see. */
    String wireName();

    /** Waiting for its turn. */
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

        /** When it ended. */
        Instant at();

        /** How long the agent took, in milliseconds; 0 where it was not called. */
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
