/** Reads what agent cards and lists of tools declare, and keeps what changed until an operator accepts it. */
package dev.agenthealth.functions.registry.declarations;
