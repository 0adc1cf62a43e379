package dev.agenthealth.dynamodb.value;

import java.math.BigDecimal;

/** Numbers as DynamoDB stores them: decimal texts of at most 38 significant digits. */
public final class Numbers {

    private static final int MAX_DIGITS = 38;
    private static final int MAX_EXPONENT = 125;
    private static final int MIN_EXPONENT = -130;

    /** The maximum number of characters of an integer. Adding two such integers cannot overflow a {@code long}. */
    private static final int MAX_LENGTH_OF_LONG = 18;

    private Numbers() {}

    /**
     * Returns the number in plain notation without superfluous zeros; the same object if it is in that form.
     *
     * @throws software.amazon.awssdk.services.dynamodb.model.DynamoDbException if the text is not a number, or out of range or precision
     */
    public static String normal(String number) {
        return isNormalInteger(number) ? number : normal(parsed(number));
    }

    /** Compares two numbers in normal form by value. */
    public static int compare(String one, String other) {
        boolean negative = isNegative(one);
        if (negative != isNegative(other)) {
            return negative ? -1 : 1;
        }
        return negative ? compareMagnitudes(other, one, 1) : compareMagnitudes(one, other, 0);
    }

    /** Returns the sum of two numbers in normal form, in normal form. */
    public static String sum(String one, String other) {
        if (isShortInteger(one) && isShortInteger(other)) {
            return Long.toString(Long.parseLong(one) + Long.parseLong(other));
        }
        return normal(new BigDecimal(one).add(new BigDecimal(other)));
    }

    private static boolean isNegative(String number) {
        return number.charAt(0) == '-';
    }

    private static boolean isNormalInteger(String number) {
        int length = number.length();
        int start = length > 0 && isNegative(number) ? 1 : 0;
        if (length == start || length - start > MAX_DIGITS) {
            return false;
        }
        for (int i = start; i < length; i++) {
            if (!isDigit(number.charAt(i))) {
                return false;
            }
        }
        return number.charAt(start) != '0' || length == 1;
    }

    private static boolean isShortInteger(String number) {
        return number.length() <= MAX_LENGTH_OF_LONG && number.indexOf('.') < 0;
    }

    private static boolean isDigit(char character) {
        return character >= '0' && character <= '9';
    }

    private static BigDecimal parsed(String number) {
        // BigDecimal accepts the digits of all scripts.
        for (int i = 0; i < number.length(); i++) {
            char character = number.charAt(i);
            if (!isDigit(character) && "+-.eE".indexOf(character) < 0) {
                throw notNumeric(number);
            }
        }
        try {
            // Exponents near the limit of BigDecimal overflow here.
            return new BigDecimal(number).stripTrailingZeros();
        } catch (ArithmeticException e) {
            throw overflow();
        } catch (NumberFormatException e) {
            throw notNumeric(number);
        }
    }

    private static RuntimeException notNumeric(String number) {
        return DynamoDbErrors.invalid(
                "The parameter cannot be converted to a numeric value" + (number.isEmpty() ? "" : ": " + number));
    }

    private static RuntimeException overflow() {
        return DynamoDbErrors.invalid(
                "Number overflow. Attempting to store a number with magnitude larger than supported range");
    }

    private static String normal(BigDecimal number) {
        if (number.signum() == 0) {
            return "0";
        }
        BigDecimal stripped = number.stripTrailingZeros();
        long exponent = (long) stripped.precision() - stripped.scale() - 1;
        if (exponent > MAX_EXPONENT) {
            throw overflow();
        }
        if (exponent < MIN_EXPONENT) {
            throw DynamoDbErrors.invalid(
                    "Number underflow. Attempting to store a number with magnitude smaller than supported range");
        }
        if (stripped.precision() > MAX_DIGITS) {
            throw DynamoDbErrors.invalid("Attempting to store more than 38 significant digits in a Number");
        }
        return stripped.toPlainString();
    }

    /** Compares from the given position on: by the length of the integer part, then digit by digit. */
    private static int compareMagnitudes(String one, String other, int start) {
        int byLength = Integer.compare(integerEnd(one), integerEnd(other));
        if (byLength != 0) {
            return byLength;
        }
        int length = Math.min(one.length(), other.length());
        for (int i = start; i < length; i++) {
            int byDigit = Character.compare(one.charAt(i), other.charAt(i));
            if (byDigit != 0) {
                return byDigit;
            }
        }
        return Integer.compare(one.length(), other.length());
    }

    private static int integerEnd(String number) {
        int point = number.indexOf('.');
        return point < 0 ? number.length() : point;
    }
}
