package dev.agenthealth.model.operations.source;

import dev.agenthealth.model.identity.Ids;
import dev.agenthealth.model.identity.Sha256;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;

/** Makes the ids of imported agents. Ids are readable, and the same entry always gets the same id. */
public final class ImportedId {

    private static final Pattern PREFIX = Pattern.compile("^(urn:(air:)?|https?://)");
    private static final Pattern NOT_ALLOWED = Pattern.compile("[^a-z0-9._:-]+");
    private static final Pattern COLONS = Pattern.compile(":{2,}");
    private static final Pattern ENDS = Pattern.compile("^[^a-z0-9]+|[^a-z0-9]+$");
    private static final int HASH_BYTES = 4;
    private static final int MAX_WORDS = Ids.MAX_LENGTH - 2 * HASH_BYTES - 1;

    private ImportedId() {}

    /**
     * Returns the id of the agent of an entry. Identifiers have the same id if they differ only by case, or by characters that ids cannot have.
     *
     * @param identifier the name of the entry in the source; not blank
     */
    public static String of(String identifier) {
        String lower = identifier.strip().toLowerCase(Locale.ROOT);
        String words =
                NOT_ALLOWED.matcher(PREFIX.matcher(lower).replaceFirst("")).replaceAll("-");
        String id = ENDS.matcher(COLONS.matcher(words).replaceAll(":")).replaceAll("");
        if (Ids.isValid(id) && !Ids.isReserved(id)) {
            return id;
        }
        String hash = HexFormat.of().formatHex(Sha256.of(lower), 0, HASH_BYTES);
        return id.isEmpty() ? hash : id.substring(0, Math.min(id.length(), MAX_WORDS)) + "-" + hash;
    }
}
