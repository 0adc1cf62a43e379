/**
 * Outcomes of executions, counted in slices of time: batches of outcomes, the items of slices, and the closed slices of an agent in one
 * item. The interpretation of counts belongs in the model, the health computed from them in {@code storage.health}.
 */
package dev.agenthealth.functions.storage.outcomes;
