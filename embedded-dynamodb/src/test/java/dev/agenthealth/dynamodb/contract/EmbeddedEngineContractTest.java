package dev.agenthealth.dynamodb.contract;

import org.junit.jupiter.api.Nested;

/** The contract on the embedded engine. */
class EmbeddedEngineContractTest extends DatabaseContract {

    @Override
    Backend open() {
        return new EmbeddedEngine();
    }

    @Nested
    class Refusals extends RefusalContract {
        Refusals() {
            super(opened());
        }
    }
}
