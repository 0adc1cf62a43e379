/**
 * Notifications: the rules of operators, the collection of events into messages, and their delivery with retries. The model decides which events
 * are reported. The package {@code channel} has the forms of messages.
 */
package dev.agenthealth.functions.operations.notification;
