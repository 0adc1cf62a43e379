/** Commands that the registry posts to agents, in addition to the answers to their heartbeats. */
package dev.agenthealth.functions.registry.commands;
