/** Commands that are posted to agents beside the answers to their heartbeats. */
package dev.agenthealth.functions.registry.commands;
