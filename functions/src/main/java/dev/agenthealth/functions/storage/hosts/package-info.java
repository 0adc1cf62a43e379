/** Mappings of hosts to the agents whose health they show. */
package dev.agenthealth.functions.storage.hosts;
