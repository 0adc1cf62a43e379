/**
 * The health of agents as computed: its item, its history, which agents are due, and what a computation reads and writes. Rules of health belong
 * in the model, slices of outcomes in {@code storage.outcomes}.
 */
package dev.agenthealth.functions.storage.health;
