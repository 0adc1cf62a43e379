package dev.agenthealth.dynamodb.contract;

import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** The contract on the implementation at an address, for example moto, whose messages of refusals may differ. */
@EnabledIfEnvironmentVariable(
        named = Endpoint.VARIABLE,
        matches = ".+",
        disabledReason = "AWS_ENDPOINT_URL names no implementation of DynamoDB")
class EndpointContractTest extends DatabaseContract {

    @Override
    Backend open() {
        return new Endpoint();
    }
}
