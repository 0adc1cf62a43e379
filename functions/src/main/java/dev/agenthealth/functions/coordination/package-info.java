/** Workflows, which declare what the agents of a role inherit, and pools, which are the agents of a role (RFC-0016 §7, §12). */
package dev.agenthealth.functions.coordination;
