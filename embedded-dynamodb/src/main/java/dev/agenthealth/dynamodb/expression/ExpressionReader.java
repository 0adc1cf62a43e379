package dev.agenthealth.dynamodb.expression;

import dev.agenthealth.dynamodb.value.DynamoDbErrors;
import dev.agenthealth.dynamodb.value.Sizes;
import java.util.ArrayList;
import java.util.List;

/** Reads the tokens of one expression and collects its names and values. Not thread-safe. */
final class ExpressionReader {

    private static final int MAX_BYTES = 4 * 1024;
    private static final int MAX_OPERATORS = 300;

    private final String text;
    private final String kind;
    private final List<Token> tokens;
    private final List<String> names = new ArrayList<>();
    private final List<String> values = new ArrayList<>();
    private int position;
    private int operators;

    ExpressionReader(String text, String kind) {
        this.text = text;
        this.kind = kind;
        int bytes = Sizes.utf8(text);
        if (bytes > MAX_BYTES) {
            throw invalid("Expression size has exceeded the maximum allowed size; expression size: " + bytes);
        }
        this.tokens = Lexer.tokens(text);
        if (text.isEmpty()) {
            throw invalid("The expression can not be empty;");
        }
    }

    Token peek() {
        return tokens.get(position);
    }

    Token peekSecond() {
        return tokens.get(Math.min(position + 1, tokens.size() - 1));
    }

    /** Returns the number of tokens read. */
    int position() {
        return position;
    }

    Token next() {
        Token token = peek();
        if (token.kind() != Token.Kind.END) {
            position++;
        }
        return token;
    }

    /** Reads the next token if it is this symbol. */
    boolean accept(String symbol) {
        boolean accepted = peek().is(symbol);
        if (accepted) {
            position++;
        }
        return accepted;
    }

    /** Reads the next token if it is this keyword. */
    boolean acceptWord(String word) {
        boolean accepted = peek().isWord(word);
        if (accepted) {
            position++;
        }
        return accepted;
    }

    void expect(String symbol) {
        if (!accept(symbol)) {
            throw syntaxError();
        }
    }

    void expectEnd() {
        if (peek().kind() != Token.Kind.END) {
            throw syntaxError();
        }
        checkOperators();
    }

    /** Refuses an expression with more operators and functions than DynamoDB allows. */
    void checkOperators() {
        if (operators > MAX_OPERATORS) {
            throw invalid("The expression contains too many operators; operator count: " + operators);
        }
    }

    void countOperator() {
        operators++;
    }

    /** Reads a top-level attribute and returns its position among the names. */
    int attribute() {
        Token token = peek();
        if (token.kind() != Token.Kind.WORD && token.kind() != Token.Kind.NAME) {
            throw syntaxError();
        }
        position++;
        if (peek().is(".") || peek().is("[")) {
            throw DynamoDbErrors.unsupported("nested paths in expressions, as after " + token.text());
        }
        if (token.kind() == Token.Kind.WORD && ReservedWords.contains(token.text())) {
            throw invalid("Attribute name is a reserved keyword; reserved keyword: " + token.text());
        }
        return position(names, token.text());
    }

    /** Reads a value and returns its position among the values. */
    int value() {
        if (peek().kind() != Token.Kind.VALUE) {
            throw syntaxError();
        }
        return position(values, next().text());
    }

    Placeholders placeholders() {
        return new Placeholders(List.copyOf(names), List.copyOf(values));
    }

    RuntimeException invalid(String message) {
        return DynamoDbErrors.invalid("Invalid " + kind + ": " + message);
    }

    /** Returns the error for the next token. It quotes the text from the previous token to the following one. */
    RuntimeException syntaxError() {
        Token token = peek();
        int start = position == 0 ? 0 : tokens.get(position - 1).start();
        int end = peekSecond().kind() == Token.Kind.END
                ? token.end()
                : peekSecond().end();
        return invalid("Syntax error; token: \"" + token.text() + "\", near: \"" + text.substring(start, end) + "\"");
    }

    private static int position(List<String> list, String text) {
        int position = list.indexOf(text);
        if (position < 0) {
            list.add(text);
            return list.size() - 1;
        }
        return position;
    }
}
