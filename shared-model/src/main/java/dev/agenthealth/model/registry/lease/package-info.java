/**
 * Leases of scopes and the rules of their validity (RFC-0016 §9).
 *
 * <p>Their storage and the transactions that grant them belong to the functions module.
 */
package dev.agenthealth.model.registry.lease;
