package dev.agenthealth.functions.storage.agents;

import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.ListedProfile;

/**
 * The part of an agent that lists show.
 *
 * @param pulse its life signs, from its row or from its tombstone
 * @param health the health summary of its row; {@link HealthSummary#NONE} if the agent is archived
 * @param profile the part of its profile that lists show
 */
public record ListedAgent(Pulse pulse, HealthSummary health, ListedProfile profile) {}
