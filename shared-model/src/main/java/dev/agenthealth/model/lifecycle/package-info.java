/** Can the agent take work right now? Status, heartbeats, silence and drain of RFC-0016. */
package dev.agenthealth.model.lifecycle;
