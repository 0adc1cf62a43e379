package dev.agenthealth.functions.storage.keys;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Pattern;

/** The secret of an issued key: 256 random bits, which nobody can guess, after a prefix by which scanners find leaked keys. */
public final class KeySecret {

    private static final int BYTES = 32;
    private static final String PREFIX = "ahk_";
    private static final Pattern FORM = Pattern.compile(PREFIX + "[A-Za-z0-9_-]{43}");

    private KeySecret() {}

    /** Returns a new secret. No generator is kept in a field: all instances of a snapshot would draw the same numbers. */
    public static String random() {
        byte[] bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Returns whether a key has the form of issued keys. A person chooses no such key. */
    public static boolean hasForm(String key) {
        return key.startsWith(PREFIX) && FORM.matcher(key).matches();
    }
}
