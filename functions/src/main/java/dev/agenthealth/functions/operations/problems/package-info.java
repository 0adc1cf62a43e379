/** The problems of agents, pools, providers and the registry: lists, acknowledgements and dismissals. */
package dev.agenthealth.functions.operations.problems;
