package dev.agenthealth.dynamodb.table;

/** The byte that begins a stored value and names its type. The values are stored: none may change. */
final class ValueTag {

    static final int STRING = 1;
    static final int INTEGER = 2;
    static final int NUMBER = 3;
    static final int BINARY = 4;
    static final int TRUE = 5;
    static final int FALSE = 6;
    static final int LIST = 7;
    static final int MAP = 8;
    static final int BINARY_SET = 9;

    private ValueTag() {}
}
