package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.gateway.a2a.PushConfig;
import dev.agenthealth.model.registry.profile.A2aVersion;

/**
 * The target of a caller for notifications about a task.
 *
 * @param version the version in which the caller receives notifications
 * @param origin the scheme and host at which callers reach the gateway
 */
record PushTarget(PushConfig config, A2aVersion version, String origin) {}
