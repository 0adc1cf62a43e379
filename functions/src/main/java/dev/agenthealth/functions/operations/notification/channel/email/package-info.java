/** Notifications by e-mail, through Amazon SNS or a mail server. */
package dev.agenthealth.functions.operations.notification.channel.email;
