/** Notifications as signed webhooks (Standard Webhooks). */
package dev.agenthealth.functions.operations.notification.channel.webhook;
