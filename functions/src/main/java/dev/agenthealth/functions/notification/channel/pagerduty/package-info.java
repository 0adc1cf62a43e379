/** Notifications as alerts of PagerDuty. */
package dev.agenthealth.functions.notification.channel.pagerduty;
