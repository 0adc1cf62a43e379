package dev.agenthealth.model.health.catalogue;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The identifier of an entry of a catalogue: {@code urn:air:<publisher>:<kind>:<name>} (ARD 0.91, appendix C).
 *
 * @param publisher the domain that publishes the entry
 * @param kind the kind of the entry, such as {@code agent}
 * @param name the name within the kind; colons may separate its parts
 */
public record CatalogueUrn(String publisher, String kind, String name) {

    /** The rule of {@link #of}, as a message for callers. */
    public static final String RULE = "must be an identifier of the form urn:air:<domain>:<kind>:<name>";

    private static final Pattern FORM = Pattern.compile("urn:air:[a-zA-Z0-9.-]{1,253}(:[a-zA-Z0-9._-]+)+");
    private static final int MAX_LENGTH = 512;
    private static final int PARTS = 5;

    /** Returns the identifier in a text; empty if it has another form. The kind may be missing, and is then empty. */
    public static Optional<CatalogueUrn> of(String text) {
        if (text.length() > MAX_LENGTH || !FORM.matcher(text).matches()) {
            return Optional.empty();
        }
        String[] parts = text.split(":", PARTS);
        return Optional.of(
                parts.length < PARTS
                        ? new CatalogueUrn(parts[2], "", parts[3])
                        : new CatalogueUrn(parts[2], parts[3], parts[4]));
    }

    /** Returns whether an id can be the name of an identifier, in which no part between colons is empty. */
    public static boolean mayName(String id) {
        return !id.contains("::") && !id.endsWith(":");
    }

    /** Returns the identifier as a text. */
    public String text() {
        return "urn:air:" + publisher + ":" + kind + ":" + name;
    }
}
