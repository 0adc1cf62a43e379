/**
 * The storage kernel: tables, keys, conditions, updates, queries, transactions, retries. It is the only place that spells expressions and calls
 * the client, and knows no item but the forms of the keys.
 */
package dev.agenthealth.functions.storage.dynamo;
