/**
 * Defaults and pool sizes that workflow files declare for roles, and the capacity of pools (RFC-0016 §7, §12).
 *
 * <p>Parsing workflow files belongs to the functions module.
 */
package dev.agenthealth.model.registry.workflow;
