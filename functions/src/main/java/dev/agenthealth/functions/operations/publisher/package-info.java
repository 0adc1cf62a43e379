/** The publication of events from the outbox to the event bus. */
package dev.agenthealth.functions.operations.publisher;
