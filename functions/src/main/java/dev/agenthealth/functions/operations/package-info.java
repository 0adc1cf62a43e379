/**
 * The work of people who operate the registry: keys, hosts, configuration, notifications, silences, problems, sources, erasure and the audit log.
 *
 * <p>A change by an operator is one transaction with its entry in the audit log. {@code publisher} sends events from the outbox to the bus.
 * {@code notification} collects events by the rules of operators and sends messages; each channel has its own package below
 * {@code notification.channel}. {@code problems} shows problems until they are over or dismissed.
 *
 * <p>Read {@link dev.agenthealth.functions.operations.notification.NotificationRun} first.
 */
package dev.agenthealth.functions.operations;
