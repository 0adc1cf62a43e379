/** What is told of agents' health: health documents, scores, history, agent cards. */
package dev.agenthealth.functions.health;
