/** Definitions of tables and indexes, and the binary form of their keys and items. */
package dev.agenthealth.dynamodb.table;
