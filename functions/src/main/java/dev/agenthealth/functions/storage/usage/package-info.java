/** Tokens and calls of agents by hour, and their totals by role, owner and fleet. */
package dev.agenthealth.functions.storage.usage;
