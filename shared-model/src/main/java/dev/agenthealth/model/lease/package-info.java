/** Who may work on what: leases on the scopes of an intent (RFC-0003 as RFC-0016 §9 uses it). */
package dev.agenthealth.model.lease;
