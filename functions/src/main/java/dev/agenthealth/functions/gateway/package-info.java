/**
 * Calls of agents for others (ServiceNet, {@code /invoke} and {@code /invoke-async}): admission, idempotency, the call, its receipt and its outcome.
 *
 * <p>A call passes blocks, limits and the check of the address before a connection is made. A receipt is written before the call and completed after
 * it, so that a crash between both is found and repaired. {@code a2a} translates messages and makes no network access. {@code mcp} offers the same
 * services to language models.
 *
 * <p>Read {@link dev.agenthealth.functions.gateway.SyncInvocations} first.
 */
package dev.agenthealth.functions.gateway;
