/** Notifications for webhooks of Discord. */
package dev.agenthealth.functions.operations.notification.channel.discord;
