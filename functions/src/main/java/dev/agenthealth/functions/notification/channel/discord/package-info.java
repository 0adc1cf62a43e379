/** Notifications for webhooks of Discord. */
package dev.agenthealth.functions.notification.channel.discord;
