package dev.agenthealth.model.registry.declaration;

import dev.agenthealth.model.identity.Sha256;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The parts of a declaration, such as {@code name} or {@code tool:search}, each with a hash of its content.
 *
 * @param hashes the hashes by the name of the part
 */
public record DeclaredParts(SortedMap<String, String> hashes) {

    /** A declaration without parts. */
    public static final DeclaredParts NONE = new DeclaredParts(Collections.emptySortedMap());

    /** The maximum number of parts with names of their own. If there are more, all parts of a kind become one part, such as {@code tools}. */
    public static final int MAX_PARTS = 200;

    /** The maximum length of a name, in characters. A longer name is cut and ends with a hash. */
    public static final int MAX_NAME = 80;

    /** The name of the part that contains the model of the profile. */
    public static final String MODEL = "model";

    /** The beginning of the names of parts that contain the model that a provider serves for a requested name. */
    static final String SERVED = "observed:";

    /** The names of the parts that replace all parts of a kind. */
    private static final Map<String, String> COLLAPSED =
            Map.of("skill", "skills", "tool", "tools", "security", "security_schemes");

    /** The length of a hash. An author who prepares two contents with the same hash needs 2^64 attempts. */
    private static final int HASH_BYTES = 16;

    private static final int SUFFIX_BYTES = 6;
    private static final Pattern NOT_SHOWN = Pattern.compile("\\p{C}");
    private static final Pattern SHORTENED = Pattern.compile(".*~[0-9a-f]{" + 2 * SUFFIX_BYTES + "}");

    public DeclaredParts {
        hashes = Collections.unmodifiableSortedMap(new TreeMap<>(hashes));
    }

    /**
     * Returns the parts with these contents.
     *
     * @param contents texts without control characters by the name of the part, in any order; several texts if the declaration repeats a name
     */
    public static DeclaredParts of(Map<String, ? extends Collection<String>> contents) {
        SortedMap<String, String> hashes = new TreeMap<>();
        contents.forEach((name, texts) ->
                hashes.put(shown(name), hash(texts.stream().sorted().toList())));
        DeclaredParts parts = new DeclaredParts(hashes);
        return hashes.size() > MAX_PARTS ? parts.collapsed() : parts;
    }

    /** Returns the digest of all parts: 64 hexadecimal digits. */
    public String digest() {
        List<String> texts = new ArrayList<>();
        hashes.forEach((name, hash) -> Collections.addAll(texts, name, hash));
        return HexFormat.of().formatHex(Sha256.of(texts));
    }

    /** Returns these parts with the model of {@code other} instead of their own. */
    DeclaredParts withModelOf(DeclaredParts other) {
        return with(MODEL, other.hashes.getOrDefault(MODEL, ""));
    }

    /** Returns these parts with this model. */
    DeclaredParts withModel(String name, String version) {
        return with(MODEL, name.isEmpty() && version.isEmpty() ? "" : hash(List.of(name, version)));
    }

    /** Returns these parts with the model that is served for a requested name. */
    DeclaredParts withServed(String requested, String served) {
        return with(shown(SERVED + requested), hash(List.of(served)));
    }

    boolean hasServed(String requested) {
        return hashes.containsKey(shown(SERVED + requested));
    }

    /** Returns these parts with the models of {@code other}, declared and observed, instead of their own. */
    DeclaredParts withModelsOf(DeclaredParts other) {
        SortedMap<String, String> changed = new TreeMap<>(withModelOf(other).hashes);
        changed.keySet().removeIf(name -> name.startsWith(SERVED));
        other.hashes.forEach((name, hash) -> {
            if (name.startsWith(SERVED)) {
                changed.put(name, hash);
            }
        });
        return new DeclaredParts(changed);
    }

    boolean hasModel() {
        return hashes.containsKey(MODEL);
    }

    private DeclaredParts with(String name, String hash) {
        SortedMap<String, String> changed = new TreeMap<>(hashes);
        if (hash.isEmpty()) {
            changed.remove(name);
        } else {
            changed.put(name, hash);
        }
        return new DeclaredParts(changed);
    }

    /** Returns whether any kind of parts is collapsed into one part. */
    boolean isCollapsed() {
        return COLLAPSED.values().stream().anyMatch(hashes::containsKey);
    }

    /** Returns these parts with one part instead of all parts of a kind. */
    DeclaredParts collapsed() {
        SortedMap<String, String> changed = new TreeMap<>(hashes);
        COLLAPSED.forEach((kind, name) -> {
            // The range ends before the character that follows the colon.
            SortedMap<String, String> ofKind = hashes.subMap(kind + ":", kind + ";");
            if (!ofKind.isEmpty()) {
                changed.keySet().removeAll(ofKind.keySet());
                changed.put(name, new DeclaredParts(ofKind).digest());
            }
        });
        return new DeclaredParts(changed);
    }

    /** Returns the names that begin with a prefix, without the prefix, sorted. Collapsed parts are left out. */
    public List<String> named(String prefix) {
        return hashes.tailMap(prefix).keySet().stream()
                .takeWhile(name -> name.startsWith(prefix))
                .map(name -> name.substring(prefix.length()))
                .toList();
    }

    /** Returns whether a name was cut or contains characters that are not shown. */
    static boolean isShortened(String name) {
        return SHORTENED.matcher(name).matches();
    }

    private static String hash(List<String> texts) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(Sha256.of(texts), HASH_BYTES));
    }

    /** Returns the name without characters that are not shown, such as line breaks. */
    private static String shown(String name) {
        String clean = NOT_SHOWN.matcher(name).replaceAll("?");
        if (clean.equals(name) && name.length() <= MAX_NAME) {
            return name;
        }
        String suffix = "~" + HexFormat.of().formatHex(Sha256.of(name), 0, SUFFIX_BYTES);
        String begin = clean.substring(0, Math.min(clean.length(), MAX_NAME - suffix.length()));
        return NOT_SHOWN.matcher(begin).replaceAll("?") + suffix;
    }
}
