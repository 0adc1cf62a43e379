package dev.agenthealth.functions.storage.keys;

import java.security.SecureRandom;
import java.util.Base64;

/** The secret of an issued key: 256 random bits, which nobody can guess, after a prefix by which scanners find leaked keys. */
public final class KeySecret {

    private static final int BYTES = 32;
    private static final String PREFIX = "ahk_";
    /** The characters of the random part in base64url. */
    private static final int LENGTH = 43;

    private KeySecret() {}

    /** Returns a new secret. No generator is kept in a field: all instances of a snapshot would draw the same numbers. */
    public static String random() {
        byte[] bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Returns whether a key has the form of issued keys. A person chooses no such key. */
    public static boolean hasForm(String key) {
        if (key.length() != PREFIX.length() + LENGTH || !key.startsWith(PREFIX)) {
            return false;
        }
        for (int i = PREFIX.length(); i < key.length(); i++) {
            char c = key.charAt(i);
            boolean alphanumeric = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
            if (!alphanumeric && c != '_' && c != '-') {
                return false;
            }
        }
        return true;
    }
}
