/**
 * Invocations of agents (ServiceNet, {@code /invoke} and {@code /invoke-async}): admission, idempotency, the call, its receipt and its outcome.
 * HTTP and address checks are in {@code outbound}, the A2A protocol is in {@code a2a}.
 */
package dev.agenthealth.functions.gateway;
