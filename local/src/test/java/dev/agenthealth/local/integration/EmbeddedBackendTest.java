package dev.agenthealth.local.integration;

import dev.agenthealth.functions.testing.MutableClock;
import dev.agenthealth.template.Stack;

/** On what a local run embeds. */
class EmbeddedBackendTest extends BackendContract {

    @Override
    public Backend open(String stackName, Stack stack, MutableClock clock) {
        return new EmbeddedBackend(stack, clock);
    }
}
