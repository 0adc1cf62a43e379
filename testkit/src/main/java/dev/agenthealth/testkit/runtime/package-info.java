/** Functions in processes of their own, started from the deployed packages as Lambda starts them. */
package dev.agenthealth.testkit.runtime;
