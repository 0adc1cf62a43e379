package dev.agenthealth.model.registry.version;

import java.util.Comparator;

/**
 * The tokens of executions.
 *
 * @param tokens the number of tokens
 * @param squares the sum of the squares of the tokens of each execution, as far as they are known
 * @param executions the number of executions whose tokens are known
 */
public record TokenSums(long tokens, double squares, long executions) {

    public static final TokenSums NONE = new TokenSums(0, 0, 0);

    static final Comparator<TokenSums> BY_TOKENS =
            Comparator.comparingLong(TokenSums::tokens).thenComparingLong(TokenSums::executions);

    /** Returns the sum of two sums. */
    public TokenSums plus(TokenSums other) {
        return new TokenSums(tokens + other.tokens, squares + other.squares, executions + other.executions);
    }

    TokenSums negative() {
        return new TokenSums(-tokens, -squares, -executions);
    }

    boolean isNone() {
        return tokens == 0 && executions == 0;
    }

    /** Returns the mean number of tokens of an execution; 0 without executions. */
    public double mean() {
        return executions == 0 ? 0 : (double) tokens / executions;
    }

    /** Returns the variance of the mean, relative to the square of the mean; 0 if it is unknown. */
    double relativeVariance() {
        return tokens == 0 ? 0 : Math.max(0, squares / ((double) tokens * tokens) - 1.0 / executions);
    }
}
