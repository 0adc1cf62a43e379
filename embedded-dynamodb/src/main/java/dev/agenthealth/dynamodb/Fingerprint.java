package dev.agenthealth.dynamodb;

import java.nio.ByteBuffer;
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
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** SHA-256 of the parameters of a transaction: two with the same one are the same. Not thread-safe. */
final class Fingerprint {

    private final MessageDigest digest;

    private Fingerprint() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The fingerprint; maps have no order in it. */
    static String of(List<TransactWriteItem> items) {
        Fingerprint fingerprint = new Fingerprint();
        fingerprint.add(items);
        return Base64.getEncoder().encodeToString(fingerprint.digest.digest());
    }

    private void add(Object value) {
        if (value instanceof SdkPojo pojo) {
            begin('p', pojo.sdkFields().size());
            for (SdkField<?> field : pojo.sdkFields()) {
                add(field.getValueOrDefault(pojo));
            }
        } else if (value instanceof Map<?, ?> map) {
            begin('m', map.size());
            new TreeMap<>(map).forEach((key, member) -> {
                add(key);
                add(member);
            });
        } else if (value instanceof Collection<?> elements) {
            begin('l', elements.size());
            elements.forEach(this::add);
        } else if (value instanceof SdkBytes bytes) {
            add('b', bytes.asByteArrayUnsafe());
        } else if (value != null) {
            add('s', value.toString().getBytes(StandardCharsets.UTF_8));
        } else {
            begin('n', 0);
        }
    }

    private void add(char kind, byte[] bytes) {
        begin(kind, bytes.length);
        digest.update(bytes);
    }

    /** Kind and length before each part keep different parts from having the same bytes. */
    private void begin(char kind, int length) {
        digest.update((byte) kind);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(length).flip());
    }
}
