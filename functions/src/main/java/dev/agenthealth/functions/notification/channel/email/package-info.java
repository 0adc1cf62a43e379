/** Notifications by e-mail, through Amazon SNS. */
package dev.agenthealth.functions.notification.channel.email;
