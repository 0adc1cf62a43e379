/** What the probes of watched agents found. */
package dev.agenthealth.functions.storage.probes;
