/** Reads the declarations in agent cards and lists of tools, and keeps changes until an operator accepts them. */
package dev.agenthealth.functions.registry.declarations;
