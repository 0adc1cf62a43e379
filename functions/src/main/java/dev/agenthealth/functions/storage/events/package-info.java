/**
 * The outbox: the items of events, the log of an agent or intent, and the system-wide feed. What an event says is decided in the model, and the
 * publisher sends it to the bus.
 */
package dev.agenthealth.functions.storage.events;
