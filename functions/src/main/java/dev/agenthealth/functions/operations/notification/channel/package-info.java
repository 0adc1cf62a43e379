/**
 * The parts that all channels of notifications share: targets and their fields, message texts, requests to receivers. Each channel has a package of its
 * own below. Which message is sent when, and what becomes of one that failed, is decided elsewhere.
 */
package dev.agenthealth.functions.operations.notification.channel;
