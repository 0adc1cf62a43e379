package dev.agenthealth.local.integration;

import dev.agenthealth.template.Stack;
import dev.agenthealth.testkit.MutableClock;

/** On what a local run embeds. */
class EmbeddedBackendTest extends BackendContract {

    @Override
    public Backend open(String stackName, Stack stack, MutableClock clock) {
        return new EmbeddedBackend(stack, clock);
    }
}
