package dev.agenthealth.model.operations.status;

import java.time.Instant;
import java.util.Optional;

/**
 * An incident that operators write for the readers of the status page.
 *
 * @param id the id that its author chose
 * @param text what readers learn, with line breaks
 * @param startedAt when the incident began
 * @param resolvedAt when it ended; empty while it lasts
 */
public record StatusIncident(
        String id, String title, String text, IncidentState state, Instant startedAt, Optional<Instant> resolvedAt) {}
