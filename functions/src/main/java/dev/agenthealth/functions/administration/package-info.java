/** What only administrators do. */
package dev.agenthealth.functions.administration;
