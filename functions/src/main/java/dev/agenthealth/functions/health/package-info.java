/** Reads of agents' health: health documents, agent cards, scores and their history, the health of the system. Computes nothing. */
package dev.agenthealth.functions.health;
