/**
 * The storage kernel: tables, keys, conditions, updates, queries, transactions, retries. Only this package builds expressions and calls the
 * client. It depends on no item, only on the forms of the keys.
 */
package dev.agenthealth.functions.storage.dynamo;
