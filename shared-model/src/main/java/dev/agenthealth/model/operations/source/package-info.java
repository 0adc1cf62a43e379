/** The rules of sources: catalogues whose entries become agents. */
package dev.agenthealth.model.operations.source;
