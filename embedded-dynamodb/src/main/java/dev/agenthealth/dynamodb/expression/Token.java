package dev.agenthealth.dynamodb.expression;

/**
 * A part of an expression's text.
 *
 * @param start the position of its first character
 * @param end the position after its last character
 */
record Token(Kind kind, String text, int start, int end) {

    enum Kind {
        /** A keyword, or the name of a function or of an attribute. */
        WORD,
        /** {@code #name} */
        NAME,
        /** {@code :value} */
        VALUE,
        /** An operator, punctuation, or a character that no expression contains. */
        SYMBOL,
        END
    }

    boolean is(String symbol) {
        return kind == Kind.SYMBOL && text.equals(symbol);
    }

    boolean isWord(String word) {
        return kind == Kind.WORD && text.equalsIgnoreCase(word);
    }

    static boolean isWordPart(char character) {
        return isLetter(character) || character >= '0' && character <= '9' || character == '_';
    }

    static boolean isLetter(char character) {
        return character >= 'a' && character <= 'z' || character >= 'A' && character <= 'Z';
    }
}
