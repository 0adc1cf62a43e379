package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.gateway.a2a.PushConfig;
import dev.agenthealth.model.registry.profile.A2aVersion;

/**
 * Where a caller wants notifications of a task.
 *
 * @param version in which it receives them
 * @param origin scheme and host by which the gateway is reached
 */
record PushTarget(PushConfig config, A2aVersion version, String origin) {}
