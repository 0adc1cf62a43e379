/** Addresses at which agents are reported alive without a key, as they are stored. */
package dev.agenthealth.functions.storage.pings;
