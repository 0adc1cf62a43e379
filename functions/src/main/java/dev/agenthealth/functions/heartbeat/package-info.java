/** The hot path: heartbeats. */
package dev.agenthealth.functions.heartbeat;
