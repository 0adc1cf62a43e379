/** The Lambda functions. Each has a package of its own; what they share stands in packages beside them. */
package dev.agenthealth.functions;
