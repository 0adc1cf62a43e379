package dev.agenthealth.dynamodb.expression;

import java.util.List;

/**
 * The names and values that an expression refers to, each once; the parsed expression has their positions in these lists.
 *
 * @param names attribute names as written: bare, or with their {@code #}
 * @param values with their {@code :}
 */
record Placeholders(List<String> names, List<String> values) {}
