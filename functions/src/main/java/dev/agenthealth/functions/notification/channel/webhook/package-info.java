/** Notifications as signed webhooks (Standard Webhooks). */
package dev.agenthealth.functions.notification.channel.webhook;
