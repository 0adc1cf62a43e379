/** The declarations of agents, beside what was accepted of them. */
package dev.agenthealth.functions.storage.declarations;
