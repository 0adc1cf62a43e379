/**
 * Notifications: which event a rule of an operator selects, how severe it is, and what a message holds.
 *
 * <p>Storing rules and digests and sending messages belong to the functions module.
 */
package dev.agenthealth.model.operations.notification;
