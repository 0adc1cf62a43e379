/** The versions of agents within a role: their figures, and the decision that a version is worse than the version before it. */
package dev.agenthealth.model.registry.version;
