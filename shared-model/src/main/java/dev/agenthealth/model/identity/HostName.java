package dev.agenthealth.model.identity;

/** The form of host names (RFC 1123 §2.1), in lower case and without a port. */
public final class HostName {

    /** The maximum length in characters. */
    public static final int MAX_LENGTH = 253;

    /** The rule of {@link #isValid}, for messages. */
    public static final String RULE =
            "must be a host name without a port, such as agents.example.com: at most 253 characters,"
                    + " and between the dots 1 to 63 letters, digits and inner hyphens";

    private static final int MAX_LABEL_LENGTH = 63;

    private HostName() {}

    /**
     * Returns the form in which names are compared: in lower case, without the port of a {@code Host} header, and without the dot at the end of an
     * absolute name.
     */
    public static String normalized(String host) {
        int colon = host.indexOf(':');
        StringBuilder name = new StringBuilder(colon < 0 ? host : host.substring(0, colon));
        int last = name.length() - 1;
        if (last > 0 && name.charAt(last) == '.' && name.charAt(last - 1) != '.') {
            name.setLength(last);
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            // Only ASCII letters are converted, as some other letters have an ASCII letter as their lower case.
            if (c >= 'A' && c <= 'Z') {
                name.setCharAt(i, (char) (c - 'A' + 'a'));
            }
        }
        return name.toString();
    }

    /** Returns whether a name is a host name in {@link #normalized} form. */
    public static boolean isValid(String name) {
        if (name.length() > MAX_LENGTH) {
            return false;
        }
        for (String label : name.split("\\.", -1)) {
            if (!isLabel(label)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isLabel(String label) {
        int length = label.length();
        if (length == 0 || length > MAX_LABEL_LENGTH || label.charAt(0) == '-' || label.charAt(length - 1) == '-') {
            return false;
        }
        return label.chars().allMatch(c -> c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-');
    }
}
