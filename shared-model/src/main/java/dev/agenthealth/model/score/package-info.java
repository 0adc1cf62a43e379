/** The score from 0 to 100 and its four dimensions (Agent Health Model). */
package dev.agenthealth.model.score;
