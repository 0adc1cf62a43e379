/** The history of the fleet: its counts by minute and hour. */
package dev.agenthealth.functions.storage.history;
