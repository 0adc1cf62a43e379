package dev.agenthealth.functions.health.catalogue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * An entry of the catalogue.
 *
 * @param json the entry as ARD has it
 * @param texts what searches compare with their question
 */
record CatalogueEntry(ObjectNode json, List<String> texts) {}
