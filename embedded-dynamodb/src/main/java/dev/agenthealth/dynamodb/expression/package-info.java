/** Expressions, parsed once per text and evaluated on items in memory. */
package dev.agenthealth.dynamodb.expression;
