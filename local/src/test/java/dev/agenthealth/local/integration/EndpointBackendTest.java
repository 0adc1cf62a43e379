package dev.agenthealth.local.integration;

import dev.agenthealth.template.Stack;
import dev.agenthealth.testkit.MutableClock;
import org.junit.jupiter.api.DisplayName;

/** At the endpoint that {@code AWS_ENDPOINT_URL} names. */
@DisplayName("EndpointBackendTest (skipped without AWS_ENDPOINT_URL)")
@Needs(Need.ENDPOINT)
class EndpointBackendTest extends BackendContract {

    @Override
    public Backend open(String stackName, Stack stack, MutableClock clock) {
        return new EndpointBackend(Clients.of(System.getenv()), stackName, stack);
    }
}
