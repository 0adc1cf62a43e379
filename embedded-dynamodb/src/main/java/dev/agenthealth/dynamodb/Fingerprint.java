package dev.agenthealth.dynamodb;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.SdkField;
import software.amazon.awssdk.core.SdkPojo;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * Computes a hash of 64 bits over the parameters of a transaction. It finds out whether a retry has other parameters than the first attempt.
 * Both are of this process, so that the hash need not withstand an attack.
 */
final class Fingerprint {

    private static final long PRIME = 0x9e3779b97f4a7c15L;

    private static final VarHandle EIGHT_BYTES =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private Fingerprint() {}

    /** Returns the fingerprint, which does not depend on the order of maps. */
    static String of(List<TransactWriteItem> items) {
        return Long.toHexString(hash(items));
    }

    private static long hash(Object value) {
        if (value instanceof String string) {
            return hash('s', string);
        }
        if (value instanceof AttributeValue attribute) {
            return hash(attribute);
        }
        if (value instanceof Map<?, ?> map) {
            long members = 0;
            for (Map.Entry<?, ?> member : map.entrySet()) {
                // A sum has no order. A name is usually a constant, which keeps its hash.
                members += next(mixed(member.getKey().hashCode()), hash(member.getValue()));
            }
            return next(begin('m', map.size()), members);
        }
        if (value instanceof Collection<?> elements) {
            long hash = begin('l', elements.size());
            for (Object element : elements) {
                hash = next(hash, hash(element));
            }
            return hash;
        }
        if (value instanceof SdkBytes binary) {
            return hash('b', binary.asByteArrayUnsafe());
        }
        if (value instanceof SdkPojo part) {
            long hash = begin('p', part.sdkFields().size());
            for (SdkField<?> field : part.sdkFields()) {
                hash = next(hash, hash(field.getValueOrDefault(part)));
            }
            return hash;
        }
        return hash('o', String.valueOf(value));
    }

    /** Returns the hash of a value. Most parts of a transaction are values, and a value has one field set. */
    private static long hash(AttributeValue value) {
        long content =
                switch (value.type()) {
                    case S -> hash('s', value.s());
                    case N -> hash('s', value.n());
                    case B -> hash((Object) value.b());
                    case BOOL -> hash((Object) value.bool());
                    case L -> hash((Object) value.l());
                    case M -> hash((Object) value.m());
                    case BS -> hash((Object) value.bs());
                    default -> throw new IllegalStateException("values of the type " + value.type());
                };
        return next(begin('v', value.type().ordinal()), content);
    }

    private static long hash(char kind, String text) {
        return hash(kind, text.getBytes(StandardCharsets.UTF_8));
    }

    private static long hash(char kind, byte[] bytes) {
        long hash = begin(kind, bytes.length);
        int at = 0;
        for (; at + Long.BYTES <= bytes.length; at += Long.BYTES) {
            hash = (hash ^ (long) EIGHT_BYTES.get(bytes, at)) * PRIME;
            // A product passes differences to higher bits only.
            hash ^= hash >>> Integer.SIZE;
        }
        for (; at < bytes.length; at++) {
            hash = (hash ^ bytes[at]) * PRIME;
        }
        return mixed(hash);
    }

    /** Returns the hash of a part without content, by its kind and its length. */
    private static long begin(char kind, int length) {
        return mixed(((long) kind << Integer.SIZE) + length);
    }

    private static long next(long hash, long part) {
        return mixed(hash * PRIME + part);
    }

    /** Lets each bit depend on all bits. */
    private static long mixed(long bits) {
        long mixed = (bits ^ (bits >>> 33)) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return mixed ^ (mixed >>> 33);
    }
}
