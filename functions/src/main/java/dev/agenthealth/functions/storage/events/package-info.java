/**
 * The outbox: the items of events, the log of an agent or intent, and the system-wide feed. The model decides the content of an event, and
 * the publisher sends it to the bus.
 */
package dev.agenthealth.functions.storage.events;
