/** The declarations of agents, together with their accepted parts. */
package dev.agenthealth.functions.storage.declarations;
