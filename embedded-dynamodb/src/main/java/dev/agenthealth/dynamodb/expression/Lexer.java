package dev.agenthealth.dynamodb.expression;

import java.util.ArrayList;
import java.util.List;

/** Splits the text of an expression into tokens. */
final class Lexer {

    private Lexer() {}

    /** Returns the tokens, followed by a token of kind END. */
    static List<Token> tokens(String text) {
        List<Token> tokens = new ArrayList<>();
        int position = 0;
        while (position < text.length()) {
            if (Character.isWhitespace(text.charAt(position))) {
                position++;
            } else {
                Token token = token(text, position);
                tokens.add(token);
                position = token.end();
            }
        }
        tokens.add(new Token(Token.Kind.END, "<EOF>", text.length(), text.length()));
        return tokens;
    }

    private static Token token(String text, int start) {
        char first = text.charAt(start);
        int end = start + 1;
        while (end < text.length() && Token.isWordPart(text.charAt(end))) {
            end++;
        }
        if (Token.isLetter(first)) {
            return new Token(Token.Kind.WORD, text.substring(start, end), start, end);
        }
        if ((first == '#' || first == ':') && end > start + 1) {
            Token.Kind kind = first == '#' ? Token.Kind.NAME : Token.Kind.VALUE;
            return new Token(kind, text.substring(start, end), start, end);
        }
        int length = isTwoCharacterOperator(text, start) ? 2 : 1;
        return new Token(Token.Kind.SYMBOL, text.substring(start, start + length), start, start + length);
    }

    private static boolean isTwoCharacterOperator(String text, int start) {
        return text.startsWith("<=", start) || text.startsWith(">=", start) || text.startsWith("<>", start);
    }
}
