package dev.agenthealth.dynamodb.contract;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The contract on DynamoDB Local. */
@Tag("exhaustive")
class DynamoDbLocalContractTest extends DatabaseContract {

    @Override
    Backend open() {
        return new DynamoDbLocal();
    }

    @Nested
    class Refusals extends RefusalContract {
        Refusals() {
            super(opened());
        }
    }
}
