/** The tokens and calls that agents use, and the limits for them. */
package dev.agenthealth.model.registry.usage;
