package dev.agenthealth.dynamodb.expression;

import dev.agenthealth.dynamodb.value.DynamoDbErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Parses one condition, filter or key condition. NOT binds tighter than AND, and AND tighter than OR. */
final class ConditionParser {

    private static final int MAX_OPERANDS_OF_IN = 100;

    /** The maximum depth of parentheses. Deeper ones are redundant, or enclose more operators than an expression may have. */
    private static final int MAX_DEPTH = 300;

    private final ExpressionReader reader;
    private int depth;
    private boolean redundantParentheses;

    /** The first position of the last parenthesized group. */
    private int groupStart = -1;

    private int groupEnd = -1;

    private ConditionParser(ExpressionReader reader) {
        this.reader = reader;
    }

    static ParsedCondition parse(String text, String kind) {
        ExpressionReader reader = new ExpressionReader(text, kind);
        ConditionParser parser = new ConditionParser(reader);
        Predicate predicate = parser.predicate(parser.disjunction());
        reader.expectEnd();
        if (parser.redundantParentheses) {
            throw parser.redundantParentheses();
        }
        return new ParsedCondition(predicate, reader.placeholders());
    }

    private Part disjunction() {
        Part part = conjunction();
        while (reader.peek().isWord("OR")) {
            Predicate left = predicate(part);
            reader.next();
            reader.countOperator();
            part = new Predicate.Or(left, predicate(conjunction()));
        }
        return part;
    }

    private Part conjunction() {
        Part part = negation();
        while (reader.peek().isWord("AND")) {
            Predicate left = predicate(part);
            reader.next();
            reader.countOperator();
            part = new Predicate.And(left, predicate(negation()));
        }
        return part;
    }

    private Part negation() {
        int negations = 0;
        while (reader.acceptWord("NOT")) {
            reader.countOperator();
            negations++;
        }
        Part part = comparison();
        if (negations == 0) {
            return part;
        }
        Predicate predicate = predicate(part);
        return negations % 2 == 0 ? new Predicate.Not(new Predicate.Not(predicate)) : new Predicate.Not(predicate);
    }

    private Part comparison() {
        Part left = primary();
        Token operator = reader.peek();
        Optional<Comparator> comparator = Comparator.of(operator);
        if (comparator.isPresent()) {
            Operand operand = operand(left);
            read();
            return new Predicate.Comparison(comparator.get(), operand, operand());
        }
        if (operator.is("<>")) {
            throw DynamoDbErrors.unsupported("the operator <>");
        }
        if (operator.isWord("BETWEEN")) {
            return between(operand(left));
        }
        if (operator.isWord("IN")) {
            return in(operand(left));
        }
        return left;
    }

    private Predicate between(Operand operand) {
        read();
        Operand lower = operand();
        if (!reader.acceptWord("AND")) {
            throw reader.syntaxError();
        }
        return new Predicate.Between(operand, lower, operand());
    }

    private Predicate in(Operand operand) {
        read();
        reader.expect("(");
        List<Operand> candidates = operands();
        if (candidates.size() > MAX_OPERANDS_OF_IN) {
            throw reader.invalid(
                    "The IN operator is provided with too many operands; number of operands: " + candidates.size());
        }
        return new Predicate.In(operand, candidates);
    }

    private void read() {
        reader.next();
        reader.countOperator();
    }

    private Part primary() {
        Token token = reader.peek();
        if (token.is("(")) {
            return group();
        }
        if (token.kind() == Token.Kind.VALUE) {
            return new Operand.Value(reader.value());
        }
        if (isKeyword(token)) {
            throw reader.syntaxError();
        }
        if (token.kind() == Token.Kind.WORD && reader.peekSecond().is("(")) {
            return function();
        }
        return new Operand.Attribute(reader.attribute());
    }

    private Part group() {
        int start = reader.position();
        if (++depth > MAX_DEPTH) {
            throw redundantParentheses();
        }
        reader.next();
        Part part = disjunction();
        redundantParentheses |= groupStart == start + 1 && groupEnd == reader.position();
        reader.expect(")");
        depth--;
        groupStart = start;
        groupEnd = reader.position();
        return part;
    }

    private Part function() {
        String name = reader.peek().text();
        if (!Functions.isKnown(name)) {
            throw reader.invalid("Invalid function name; function: " + name);
        }
        if (!Functions.isForConditions(name)) {
            throw reader.invalid("The function is not allowed in a condition expression; function: " + name);
        }
        read();
        // Checked now, since nested functions could exhaust the stack before the end is read.
        reader.checkOperators();
        reader.next();
        List<Operand> operands = operands();
        return Functions.of(name, operands, reader);
    }

    /** Reads the operands up to a closing parenthesis. */
    private List<Operand> operands() {
        List<Operand> operands = new ArrayList<>();
        do {
            operands.add(operand());
        } while (reader.accept(","));
        reader.expect(")");
        return List.copyOf(operands);
    }

    private Operand operand() {
        return operand(primary());
    }

    private Operand operand(Part part) {
        if (part instanceof Operand operand) {
            return operand;
        }
        Optional<String> function = Functions.nameOf(part);
        throw function.isPresent() ? misplaced(function.get()) : reader.syntaxError();
    }

    private Predicate predicate(Part part) {
        if (part instanceof Predicate predicate) {
            return predicate;
        }
        throw part instanceof Operand.Size ? misplaced("size") : reader.syntaxError();
    }

    private RuntimeException misplaced(String function) {
        return reader.invalid(
                "The function is not allowed to be used this way in an expression; function: " + function);
    }

    private RuntimeException redundantParentheses() {
        return reader.invalid("The expression has redundant parentheses;");
    }

    private static boolean isKeyword(Token token) {
        return token.isWord("AND")
                || token.isWord("OR")
                || token.isWord("NOT")
                || token.isWord("IN")
                || token.isWord("BETWEEN");
    }
}
