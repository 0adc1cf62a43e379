/**
 * The parts that all notification channels share: targets and their fields, message texts, requests to receivers. Each channel has its own package
 * below this one. The package above decides which messages are sent, and retries them.
 */
package dev.agenthealth.functions.operations.notification.channel;
