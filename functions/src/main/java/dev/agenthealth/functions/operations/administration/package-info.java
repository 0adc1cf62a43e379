/** Keys, hosts and the runtime configuration, for administrators. */
package dev.agenthealth.functions.operations.administration;
