/**
 * The events that the registry publishes, with their complete details.
 *
 * <p>The functions module writes events to the outbox and publishes them.
 */
package dev.agenthealth.model.event;
