/**
 * Problems: the events that open, worsen or end them, their retention, and the actions of people.
 *
 * <p>The functions module stores and shows problems.
 */
package dev.agenthealth.model.operations.problem;
