/**
 * Rules of notifications, the events collected for their next messages, and the message that is currently sent. The model decides the
 * content of reports; the feature sends and encrypts.
 */
package dev.agenthealth.functions.storage.notifications;
