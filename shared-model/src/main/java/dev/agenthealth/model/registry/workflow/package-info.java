/**
 * Defaults and pool sizes that workflow files declare for roles, and the capacity of pools (RFC-0016 §7, §12).
 *
 * <p>The functions module parses workflow files.
 */
package dev.agenthealth.model.registry.workflow;
