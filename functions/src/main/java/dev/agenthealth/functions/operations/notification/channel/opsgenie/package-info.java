/** Notifications as alerts of Opsgenie and Jira Service Management. */
package dev.agenthealth.functions.operations.notification.channel.opsgenie;
