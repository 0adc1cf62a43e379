/** The status page for outsiders: what administrators publish, incidents, and badges. */
package dev.agenthealth.functions.operations.statuspage;
