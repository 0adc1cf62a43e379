/** The results of the probes of watched agents. */
package dev.agenthealth.functions.storage.probes;
