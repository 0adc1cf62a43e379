/**
 * Endpoints that may be called, and the receipts of invocations (ServiceNet).
 *
 * <p>Address resolution and HTTP calls belong to the functions module.
 */
package dev.agenthealth.model.gateway;
