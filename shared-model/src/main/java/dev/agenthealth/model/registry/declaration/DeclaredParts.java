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
 * @param hashes by name
 */
public record DeclaredParts(SortedMap<String, String> hashes) {

    /** Nothing is declared. */
    public static final DeclaredParts NONE = new DeclaredParts(Collections.emptySortedMap());

    /** The maximum number of parts whose names are kept. Of more, those of a kind are one part, such as {@code tools}. */
    public static final int MAX_PARTS = 200;

    /** The maximum length of a name, in characters. A longer one is cut and ends with a hash. */
    public static final int MAX_NAME = 80;

    /** The part that names the model of the profile. */
    public static final String MODEL = "model";

    /** The part in place of all of a kind. */
    private static final Map<String, String> COLLAPSED =
            Map.of("skill", "skills", "tool", "tools", "security", "security_schemes");

    /** Two contents with one hash take 2^64 attempts: their author may prepare both. */
    private static final int HASH_BYTES = 16;

    private static final int SUFFIX_BYTES = 6;
    private static final Pattern NOT_SHOWN = Pattern.compile("\\p{C}");
    private static final Pattern SHORTENED = Pattern.compile(".*~[0-9a-f]{" + 2 * SUFFIX_BYTES + "}");

    public DeclaredParts {
        hashes = Collections.unmodifiableSortedMap(new TreeMap<>(hashes));
    }

    /**
     * The parts with these contents.
     *
     * @param contents texts without control characters by name, in any order; several where the declaration repeats a name
     */
    public static DeclaredParts of(Map<String, ? extends Collection<String>> contents) {
        SortedMap<String, String> hashes = new TreeMap<>();
        contents.forEach((name, texts) ->
                hashes.put(shown(name), hash(texts.stream().sorted().toList())));
        DeclaredParts parts = new DeclaredParts(hashes);
        return hashes.size() > MAX_PARTS ? parts.collapsed() : parts;
    }

    /** The digest of all parts: 64 hexadecimal digits. */
    public String digest() {
        List<String> texts = new ArrayList<>();
        hashes.forEach((name, hash) -> Collections.addAll(texts, name, hash));
        return HexFormat.of().formatHex(Sha256.of(texts));
    }

    /** Returns these parts with those of {@code other} that name the model, and without their own. */
    DeclaredParts withModelOf(DeclaredParts other) {
        return with(MODEL, other.hashes.getOrDefault(MODEL, ""));
    }

    /** Returns these parts with this model. */
    DeclaredParts withModel(String name, String version) {
        return with(MODEL, name.isEmpty() && version.isEmpty() ? "" : hash(List.of(name, version)));
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

    /** Returns whether some parts are kept as one. */
    boolean isCollapsed() {
        return COLLAPSED.values().stream().anyMatch(hashes::containsKey);
    }

    /** Returns the parts with one in place of all of a kind. */
    DeclaredParts collapsed() {
        SortedMap<String, String> changed = new TreeMap<>(hashes);
        COLLAPSED.forEach((kind, name) -> {
            // The character after the colon ends the range.
            SortedMap<String, String> ofKind = hashes.subMap(kind + ":", kind + ";");
            if (!ofKind.isEmpty()) {
                changed.keySet().removeAll(ofKind.keySet());
                changed.put(name, new DeclaredParts(ofKind).digest());
            }
        });
        return new DeclaredParts(changed);
    }

    /** Returns what follows the prefix in the names that begin with it, sorted; not those that are collapsed. */
    public List<String> named(String prefix) {
        return hashes.tailMap(prefix).keySet().stream()
                .takeWhile(name -> name.startsWith(prefix))
                .map(name -> name.substring(prefix.length()))
                .toList();
    }

    /** Returns whether a name stands for one that was cut or has characters that are not shown. */
    static boolean isShortened(String name) {
        return SHORTENED.matcher(name).matches();
    }

    private static String hash(List<String> texts) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(Sha256.of(texts), HASH_BYTES));
    }

    /** The name without characters that are not shown, so that it stands in one line as what it is. */
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
