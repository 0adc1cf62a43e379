package dev.agenthealth.local.integration;

import dev.agenthealth.functions.testing.MutableClock;
import dev.agenthealth.template.Stack;

/** At the endpoint that {@code AWS_ENDPOINT_URL} names. */
@Needs(Need.ENDPOINT)
class EndpointBackendTest extends BackendContract {

    @Override
    public Backend open(String stackName, Stack stack, MutableClock clock) {
        return new EndpointBackend(Clients.of(System.getenv()), stackName, stack);
    }
}
