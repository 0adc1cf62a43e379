/** Ping addresses: an agent that can only send plain requests is reported as alive without a key. */
package dev.agenthealth.functions.registry.ping;
