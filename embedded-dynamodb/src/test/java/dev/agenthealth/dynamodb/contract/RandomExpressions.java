package dev.agenthealth.dynamodb.contract;

import static dev.agenthealth.dynamodb.contract.RandomValues.INDEX_KEYS;
import static dev.agenthealth.dynamodb.contract.RandomValues.indexKeys;
import static dev.agenthealth.dynamodb.contract.RandomValues.named;
import static dev.agenthealth.dynamodb.contract.RandomValues.names;
import static dev.agenthealth.dynamodb.contract.RandomValues.numbers;
import static dev.agenthealth.dynamodb.contract.RandomValues.scalars;
import static dev.agenthealth.dynamodb.contract.RandomValues.values;
import static dev.agenthealth.dynamodb.contract.Values.bs;
import static dev.agenthealth.dynamodb.contract.Values.n;
import static dev.agenthealth.dynamodb.contract.Values.s;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Random conditions and update expressions, with the values of their placeholders. */
final class RandomExpressions {

    private RandomExpressions() {}

    /** An expression, and the values of its placeholders. */
    record Expression(String text, Map<String, AttributeValue> values) {

        static Expression of(String text, AttributeValue... values) {
            Map<String, AttributeValue> named = new HashMap<>();
            String renamed = text;
            for (int i = 0; i < values.length; i++) {
                String name = ":h" + Integer.toHexString(values[i].hashCode());
                renamed = renamed.replace("?" + i, name);
                named.put(name, values[i]);
            }
            return new Expression(renamed, named);
        }

        Expression and(String separator, Expression other) {
            Map<String, AttributeValue> all = new HashMap<>(values);
            all.putAll(other.values);
            return new Expression(text + separator + other.text, all);
        }

        Expression map(Function<String, String> change) {
            return new Expression(change.apply(text), values);
        }

        Map<String, AttributeValue> valuesOrNull() {
            return values.isEmpty() ? null : values;
        }

        Map<String, String> namesOrNull() {
            return text.contains("#c") ? Map.of("#c", "count") : null;
        }
    }

    private static Arbitrary<Expression> comparisons() {
        Arbitrary<String> names = Arbitraries.of("v", "w", "count", "u", "sk").map(RandomValues::named);
        return Arbitraries.oneOf(
                names.map(name -> Expression.of("attribute_exists(" + name + ")")),
                names.map(name -> Expression.of("attribute_not_exists(" + name + ")")),
                Combinators.combine(names, Arbitraries.of("=", "<", "<=", ">", ">="), values())
                        .as((name, operator, value) -> Expression.of(name + " " + operator + " ?0", value)),
                Combinators.combine(names, scalars(), scalars())
                        .as((name, first, second) -> Expression.of(name + " IN (?0, ?1)", first, second)),
                Combinators.combine(names, scalars())
                        .as((name, value) -> Expression.of("contains(" + name + ", ?0)", value)),
                Combinators.combine(
                                names,
                                Arbitraries.of("=", "<"),
                                Arbitraries.integers().between(0, 3))
                        .as((name, operator, size) ->
                                Expression.of("size(" + name + ") " + operator + " ?0", n(size))));
    }

    static Arbitrary<Expression> conditions() {
        Arbitrary<Expression> atoms = comparisons();
        Arbitrary<Expression> nots = atoms.map(atom -> atom.map(text -> "NOT " + text));
        Arbitrary<Expression> simple = Arbitraries.oneOf(atoms, atoms, nots);
        Arbitrary<Expression> pairs = Combinators.combine(simple, Arbitraries.of(" AND ", " OR "), simple)
                .as((left, operator, right) -> left.and(operator, right));
        Arbitrary<Expression> nested = Combinators.combine(
                        pairs.map(pair -> pair.map(text -> "(" + text + ")")), Arbitraries.of(" AND ", " OR "), simple)
                .as((left, operator, right) -> left.and(operator, right));
        return Arbitraries.oneOf(
                simple, simple, pairs, nested, pairs.map(pair -> pair.map(text -> "NOT (" + text + ")")));
    }

    /** A condition, or none: null. */
    static Arbitrary<Expression> optionalConditions() {
        return conditions().injectNull(0.5);
    }

    static Arbitrary<Expression> updateExpressions() {
        Arbitrary<Expression> sets = Arbitraries.oneOf(
                Combinators.combine(names(), values()).as((name, value) -> Expression.of(named(name) + " = ?0", value)),
                Combinators.combine(Arbitraries.of(INDEX_KEYS), indexKeys())
                        .as((name, value) -> Expression.of(name + " = ?0", value)),
                Combinators.combine(names(), names(), values())
                        .as((name, other, value) ->
                                Expression.of(named(name) + " = if_not_exists(" + named(other) + ", ?0)", value)));
        Arbitrary<Expression> removes =
                Arbitraries.of("v", "w", "count", "u", "fp", "fs", "dp", "ds").map(name -> Expression.of(named(name)));
        Arbitrary<Expression> adds = Combinators.combine(
                        names(),
                        Arbitraries.oneOf(numbers().map(Values::n), Arbitraries.of(bs("a"), bs("b", "d"), s("a"))))
                .as((name, value) -> Expression.of(named(name) + " ?0", value));
        return Combinators.combine(
                        sets.list().ofMaxSize(2),
                        removes.list().ofMaxSize(2),
                        adds.list().ofMaxSize(1))
                .as((set, remove, add) -> {
                    List<Expression> clauses = new ArrayList<>();
                    clause("SET ", set, clauses);
                    clause("REMOVE ", remove, clauses);
                    clause("ADD ", add, clauses);
                    return clauses.stream()
                            .reduce((left, right) -> left.and(" ", right))
                            .orElse(Expression.of(""));
                });
    }

    private static void clause(String word, List<Expression> parts, List<Expression> clauses) {
        parts.stream()
                .reduce((left, right) -> left.and(", ", right))
                .ifPresent(all -> clauses.add(all.map(text -> word + text)));
    }
}
