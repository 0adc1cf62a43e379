/** Notifications for Slack's incoming webhooks. */
package dev.agenthealth.functions.notification.channel.slack;
