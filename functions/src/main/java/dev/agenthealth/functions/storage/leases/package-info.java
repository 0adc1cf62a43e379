/**
 * Leases: record, lock and pointer of each. Whether a lease may be granted, renewed or ended is decided in the model.
 */
package dev.agenthealth.functions.storage.leases;
