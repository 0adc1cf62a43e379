package dev.agenthealth.dynamodb;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.SdkField;
import software.amazon.awssdk.core.SdkPojo;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** Hashes the parameters of a transaction with SHA-256. Equal fingerprints mean equal parameters. Not thread-safe. */
final class Fingerprint {

    private final StringBuilder text = new StringBuilder(8_192);

    private Fingerprint() {}

    /** Returns the fingerprint, which does not depend on the order of maps. */
    static String of(List<TransactWriteItem> items) {
        Fingerprint fingerprint = new Fingerprint();
        fingerprint.add(items);
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(fingerprint.text.toString().getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private void add(Object value) {
        if (value instanceof String string) {
            add('s', string);
        } else if (value instanceof AttributeValue attribute) {
            add(attribute);
        } else if (value instanceof Map<?, ?> map) {
            begin('m', map.size());
            new TreeMap<>(map).forEach((key, member) -> {
                add(key);
                add(member);
            });
        } else if (value instanceof Collection<?> elements) {
            begin('l', elements.size());
            elements.forEach(this::add);
        } else if (value instanceof SdkBytes binary) {
            add('b', new String(binary.asByteArrayUnsafe(), StandardCharsets.ISO_8859_1));
        } else if (value instanceof SdkPojo part) {
            begin('p', part.sdkFields().size());
            for (SdkField<?> field : part.sdkFields()) {
                add(field.getValueOrDefault(part));
            }
        } else {
            add('o', String.valueOf(value));
        }
    }

    /** Adds a value. Most parts of a transaction are values, and a value has one field set. */
    private void add(AttributeValue value) {
        begin('v', value.type().ordinal());
        switch (value.type()) {
            case S -> add((Object) value.s());
            case N -> add((Object) value.n());
            case B -> add((Object) value.b());
            case BOOL -> add((Object) value.bool());
            case L -> add((Object) value.l());
            case M -> add((Object) value.m());
            case BS -> add((Object) value.bs());
            default -> throw new IllegalStateException("values of the type " + value.type());
        }
    }

    private void add(char kind, String content) {
        begin(kind, content.length());
        text.append(content);
    }

    /** Adds kind and length before each part, so that different parts never produce the same text. */
    private void begin(char kind, int length) {
        text.append(kind).append(length).append(':');
    }
}
