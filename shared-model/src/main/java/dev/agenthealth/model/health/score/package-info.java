/**
 * The score from 0 to 100 and its four dimensions (Agent Health Model).
 *
 * <p>The package outcome counts the outcomes.
 */
package dev.agenthealth.model.health.score;
