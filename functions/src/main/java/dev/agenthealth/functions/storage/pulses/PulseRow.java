package dev.agenthealth.functions.storage.pulses;

import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.ListedProfile;
import java.util.Optional;

/**
 * The row of one agent, as lists read it.
 *
 * @param pulse its pulse
 * @param health the summary of its health
 * @param profile the part of the profile that the row repeats; empty if the part does not fit
 */
public record PulseRow(Pulse pulse, HealthSummary health, Optional<ListedProfile> profile) {}
