/**
 * Rules of notifications, what is collected for their next messages, and the message that is being sent. What is reported is decided in the model;
 * sending and encrypting belong to the feature.
 */
package dev.agenthealth.functions.storage.notifications;
