/**
 * Sends messages of notifications: signed webhooks, Slack, PagerDuty and e-mail. Which message is sent when, and what becomes of one that
 * failed, is decided elsewhere.
 */
package dev.agenthealth.functions.notification.delivery;
