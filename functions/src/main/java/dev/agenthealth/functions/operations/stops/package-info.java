/** Stops: one command of an operator that blocks and drains agents, and the end of it. */
package dev.agenthealth.functions.operations.stops;
