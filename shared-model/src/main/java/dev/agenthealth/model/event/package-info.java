/**
 * The events that the registry publishes, with their details in full.
 *
 * <p>Writing events to the outbox and publishing them belong to the functions module.
 */
package dev.agenthealth.model.event;
