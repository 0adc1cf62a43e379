package dev.agenthealth.dynamodb.expression;

import dev.agenthealth.dynamodb.value.DynamoDbErrors;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Parses one update. */
final class UpdateParser {

    private final ExpressionReader reader;
    private final List<Action> actions = new ArrayList<>();

    private UpdateParser(ExpressionReader reader) {
        this.reader = reader;
    }

    static ParsedUpdate parse(String text, String kind) {
        ExpressionReader reader = new ExpressionReader(text, kind);
        UpdateParser parser = new UpdateParser(reader);
        parser.clauses();
        return ParsedUpdate.of(List.copyOf(parser.actions), reader.placeholders());
    }

    private void clauses() {
        Set<String> read = new HashSet<>();
        do {
            Token token = reader.peek();
            String clause = token.kind() == Token.Kind.WORD ? token.text().toUpperCase(Locale.ROOT) : "";
            switch (clause) {
                case "SET", "REMOVE", "ADD" -> reader.next();
                case "DELETE" -> throw DynamoDbErrors.unsupported("DELETE in an UpdateExpression");
                default -> throw reader.syntaxError();
            }
            if (!read.add(clause)) {
                throw reader.invalid("The \"" + clause + "\" section can only be used once in an update expression;");
            }
            clause(clause);
        } while (reader.peek().kind() != Token.Kind.END);
        reader.expectEnd();
    }

    private void clause(String clause) {
        do {
            reader.countOperator();
            int attribute = attribute();
            actions.add(
                    switch (clause) {
                        case "SET" -> assignment(attribute);
                        case "ADD" -> new Action.Add(attribute, reader.value());
                        default -> new Action.Remove(attribute);
                    });
        } while (reader.accept(","));
    }

    private Action assignment(int attribute) {
        reader.expect("=");
        NewValue value = newValue();
        if (reader.peek().is("+") || reader.peek().is("-")) {
            throw DynamoDbErrors.unsupported("arithmetic in an UpdateExpression");
        }
        return new Action.Assign(attribute, value);
    }

    private NewValue newValue() {
        Token token = reader.peek();
        if (token.kind() == Token.Kind.VALUE) {
            return new NewValue.Given(reader.value());
        }
        if (token.is("(")) {
            throw DynamoDbErrors.unsupported("parentheses in an UpdateExpression");
        }
        if (token.kind() == Token.Kind.WORD && reader.peekSecond().is("(")) {
            return ifNotExists();
        }
        return new NewValue.Copied(attribute());
    }

    private NewValue ifNotExists() {
        String name = reader.peek().text();
        checkFunction(name);
        reader.countOperator();
        reader.next();
        reader.next();
        List<NewValue> operands = new ArrayList<>();
        do {
            operands.add(newValue());
        } while (reader.accept(","));
        reader.expect(")");
        if (operands.size() != 2) {
            throw Functions.incorrectCount(name, operands.size(), reader);
        }
        if (operands.get(0) instanceof NewValue.Copied copied) {
            return new NewValue.IfNotExists(copied.attribute(), operands.get(1));
        }
        throw reader.invalid("Operator or function requires a document path; operator or function: " + name);
    }

    private int attribute() {
        Token token = reader.peek();
        if (token.isWord("SET") || token.isWord("REMOVE") || token.isWord("ADD") || token.isWord("DELETE")) {
            throw reader.syntaxError();
        }
        return reader.attribute();
    }

    private void checkFunction(String name) {
        if (!Functions.isKnown(name)) {
            throw reader.invalid("Invalid function name; function: " + name);
        }
        if (Functions.isForConditions(name)) {
            throw reader.invalid("The function is not allowed in an update expression; function: " + name);
        }
        if (!name.equals(Functions.IF_NOT_EXISTS)) {
            throw DynamoDbErrors.unsupported("the function " + name);
        }
    }
}
