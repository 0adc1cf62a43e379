/** Notifications as alerts of PagerDuty. */
package dev.agenthealth.functions.operations.notification.channel.pagerduty;
