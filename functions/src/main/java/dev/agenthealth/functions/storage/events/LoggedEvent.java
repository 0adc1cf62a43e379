package dev.agenthealth.functions.storage.events;

import java.time.Instant;

/**
 * An event of the outbox.
 *
 * @param place its position in the system-wide feed, or in the stream
 * @param type the detail type
 * @param detail the detail as JSON text
 * @param at the event's timestamp
 */
public record LoggedEvent(String place, String type, String detail, Instant at) {}
