/** Notifications for webhooks of Google Chat. */
package dev.agenthealth.functions.notification.channel.googlechat;
