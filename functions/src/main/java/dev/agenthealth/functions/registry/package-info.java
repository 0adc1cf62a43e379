/** Registration, discovery, records, profile, status and events of agents. */
package dev.agenthealth.functions.registry;
