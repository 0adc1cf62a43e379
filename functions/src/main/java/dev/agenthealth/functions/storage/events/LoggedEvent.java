package dev.agenthealth.functions.storage.events;

import java.time.Instant;

/**
 * An event as it stands in the system-wide feed.
 *
 * @param place its place there
 * @param type the detail type
 * @param detail the detail as JSON text
 * @param at the event's timestamp
 */
public record LoggedEvent(String place, String type, String detail, Instant at) {}
