/**
 * The computed health of agents: its item, its history, the due agents, and the inputs and results of a computation. Rules of health belong
 * in the model, slices of outcomes in {@code storage.outcomes}.
 */
package dev.agenthealth.functions.storage.health;
