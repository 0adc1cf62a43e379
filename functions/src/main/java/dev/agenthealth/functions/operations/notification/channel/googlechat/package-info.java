/** Notifications for webhooks of Google Chat. */
package dev.agenthealth.functions.operations.notification.channel.googlechat;
