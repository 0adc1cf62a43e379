/**
 * The score from 0 to 100 and its four dimensions (Agent Health Model).
 *
 * <p>Counting outcomes belongs to the package outcome.
 */
package dev.agenthealth.model.health.score;
