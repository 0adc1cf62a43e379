/** Notifications for workflows of Microsoft Teams. */
package dev.agenthealth.functions.notification.channel.teams;
