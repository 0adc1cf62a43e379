/** Notifications for Slack's incoming webhooks. */
package dev.agenthealth.functions.operations.notification.channel.slack;
