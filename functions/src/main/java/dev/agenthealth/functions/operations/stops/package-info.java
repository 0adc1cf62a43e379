/** Stops: one command of an operator that refuses calls of agents and asks them to drain, and the end of the stop. */
package dev.agenthealth.functions.operations.stops;
