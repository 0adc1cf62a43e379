/**
 * Problems: which event opens, worsens or ends one, how long it is kept, and what people did about it.
 *
 * <p>Storing and showing problems belongs to the functions module.
 */
package dev.agenthealth.model.operations.problem;
