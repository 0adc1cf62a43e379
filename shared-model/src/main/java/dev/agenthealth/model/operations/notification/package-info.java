/**
 * Notifications: the events that a rule of an operator selects, their severity, and the content of messages.
 *
 * <p>The functions module stores rules and digests, and sends messages.
 */
package dev.agenthealth.model.operations.notification;
