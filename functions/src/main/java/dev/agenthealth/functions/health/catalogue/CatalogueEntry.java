package dev.agenthealth.functions.health.catalogue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * An entry of the catalogue.
 *
 * @param json the entry in the format of ARD
 * @param texts the texts that a search compares with its question
 */
record CatalogueEntry(ObjectNode json, List<String> texts) {}
