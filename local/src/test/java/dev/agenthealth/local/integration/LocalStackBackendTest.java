package dev.agenthealth.local.integration;

import dev.agenthealth.template.Stack;
import dev.agenthealth.testkit.MutableClock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.testcontainers.localstack.LocalStackContainer;

/** On LocalStack in a container of its own. */
@DisplayName("LocalStackBackendTest (skipped without Docker)")
@Needs(Need.DOCKER)
class LocalStackBackendTest extends BackendContract {

    private static final String IMAGE = "localstack/localstack:4.14.0";

    private LocalStackContainer container;

    @Override
    public Backend open(String stackName, Stack stack, MutableClock clock) {
        container = new LocalStackContainer(IMAGE).withServices("dynamodb", "dynamodbstreams", "events", "sqs");
        container.start();
        return new EndpointBackend(
                Clients.withAnyCredentials(container.getEndpoint(), container.getRegion()), stackName, stack);
    }

    @Override
    @AfterAll
    void close() {
        try {
            super.close();
        } finally {
            if (container != null) {
                container.stop();
            }
        }
    }
}
