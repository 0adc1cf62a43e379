/**
 * Notifications: rules of operators, collecting events into messages, and sending these until they arrive. Which event is reported is decided in the
 * model; how a message is sent is in {@code channel}.
 */
package dev.agenthealth.functions.operations.notification;
