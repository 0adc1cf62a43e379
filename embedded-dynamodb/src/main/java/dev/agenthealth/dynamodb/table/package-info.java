/** Tables and indexes as they are defined, and the binary form of their keys and items. */
package dev.agenthealth.dynamodb.table;
