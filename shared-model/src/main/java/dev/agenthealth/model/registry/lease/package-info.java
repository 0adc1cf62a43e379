/**
 * Leases of scopes and the rules of their validity (RFC-0016 §9).
 *
 * <p>The functions module stores leases and has the transactions that grant them.
 */
package dev.agenthealth.model.registry.lease;
