/** Outcomes of executions, as agents and coordinators report them. */
package dev.agenthealth.functions.registry.outcomes;
