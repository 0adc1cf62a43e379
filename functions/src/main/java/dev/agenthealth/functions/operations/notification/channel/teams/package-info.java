/** Notifications for workflows of Microsoft Teams. */
package dev.agenthealth.functions.operations.notification.channel.teams;
