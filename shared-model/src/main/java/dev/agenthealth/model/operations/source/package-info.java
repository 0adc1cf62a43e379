/** The rules of sources: catalogues with entries that become agents. */
package dev.agenthealth.model.operations.source;
