package dev.agenthealth.dynamodb.expression;

import java.util.List;

/**
 * The distinct names and values of an expression. The parsed expression contains positions in these lists.
 *
 * @param names attribute names as written: bare, or with their {@code #}
 * @param values value placeholders, with their {@code :}
 */
record Placeholders(List<String> names, List<String> values) {}
