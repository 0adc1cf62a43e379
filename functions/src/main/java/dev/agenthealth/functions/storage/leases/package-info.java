/** Leases: record, lock and pointer of each lease. The model decides whether a lease may be granted, renewed or ended. */
package dev.agenthealth.functions.storage.leases;
