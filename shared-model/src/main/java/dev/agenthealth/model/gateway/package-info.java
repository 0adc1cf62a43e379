/**
 * Endpoints that the gateway may call, and receipts of invocations (ServiceNet).
 *
 * <p>The functions module resolves addresses and makes HTTP calls.
 */
package dev.agenthealth.model.gateway;
