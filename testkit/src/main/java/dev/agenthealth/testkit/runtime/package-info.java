/** Functions in their own processes, started from the deployed packages as Lambda starts them. */
package dev.agenthealth.testkit.runtime;
