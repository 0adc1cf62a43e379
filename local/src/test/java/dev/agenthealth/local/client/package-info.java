/** The Java client against the whole system: what it sends, and what the registry makes of it. */
package dev.agenthealth.local.client;
