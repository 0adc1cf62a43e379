/**
 * The pulses table: heartbeats, the scan of the fleet, canaries, and the updates that other packages add to their transactions. No other
 * package names an attribute of the row. The rules of the lifecycle belong in the model.
 */
package dev.agenthealth.functions.storage.pulses;
