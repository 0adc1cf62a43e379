/**
 * Decides whether an agent works as declared, and whether it may be called.
 *
 * <p>{@code measurement} computes the health of an agent after its outcomes or its profile changed, and stores the result. All other
 * packages read stored results: health documents, scores, availability, trust records and the catalogue. No read computes the health of an
 * agent.
 *
 * <p>Read {@link dev.agenthealth.functions.health.HealthDocuments} first.
 */
package dev.agenthealth.functions.health;
