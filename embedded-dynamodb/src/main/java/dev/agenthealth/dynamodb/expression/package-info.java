/** Expressions, parsed once by their text and evaluated on items in memory. */
package dev.agenthealth.dynamodb.expression;
