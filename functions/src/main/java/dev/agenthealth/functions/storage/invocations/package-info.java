/**
 * Receipts of invocations with their messages and outputs, idempotency records, and the use of callers' limits. Calls of agents belong in
 * the gateway, the counts and the log of invocations in {@code storage.trust}.
 */
package dev.agenthealth.functions.storage.invocations;
