/** E-mail through a mail server. */
package dev.agenthealth.local.mail;
