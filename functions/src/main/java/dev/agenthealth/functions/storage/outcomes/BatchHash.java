package dev.agenthealth.functions.storage.outcomes;

import dev.agenthealth.model.identity.Sha256;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import software.amazon.awssdk.core.SdkBytes;

/**
 * The stored part of a batch, by which the batch is recognised: a hash of its identity and a hash of its content. Immutable.
 *
 * <p>In a slice, both hashes share eight bytes. Six bytes identify the batch: among 100,000 batches of one slice, two have the same six
 * bytes with a probability of 2 in 100,000. Two bytes compare the content: if batches reuse an id for other content, one in 65,536 is
 * mistaken for a retry.
 */
public final class BatchHash {

    private static final int LENGTH = 8;
    private static final int ID_LENGTH = 6;

    private final byte[] id;
    private final SdkBytes kept;
    private final String content;

    BatchHash(List<String> identity, String content) {
        this.id = Arrays.copyOf(Sha256.of(identity), LENGTH);
        byte[] both = id.clone();
        byte[] contentHash = Sha256.of(content);
        System.arraycopy(contentHash, 0, both, ID_LENGTH, LENGTH - ID_LENGTH);
        this.kept = SdkBytes.fromByteArray(both);
        this.content = HexFormat.of().formatHex(contentHash, 0, LENGTH);
    }

    /** Returns the identity of the batch, unique per agent, for keys of items. */
    public String id() {
        return HexFormat.of().formatHex(id);
    }

    /** Returns the hash of the content, for items about a single batch. */
    public String content() {
        return content;
    }

    /** Returns the eight bytes that a slice stores. */
    SdkBytes kept() {
        return kept;
    }

    /** Compares the batch with the item of a batch with the same id. */
    public BatchMatch matching(String contentOfItem) {
        return contentOfItem.equals(content) ? BatchMatch.COUNTED : BatchMatch.OTHER_CONTENT;
    }

    /** Compares the batch with the batches that a slice stores. */
    BatchMatch among(Collection<SdkBytes> batches) {
        if (batches.contains(kept)) {
            return BatchMatch.COUNTED;
        }
        return batches.stream().anyMatch(this::hasSameId) ? BatchMatch.OTHER_CONTENT : BatchMatch.NEW;
    }

    private boolean hasSameId(SdkBytes other) {
        byte[] bytes = other.asByteArrayUnsafe();
        return bytes.length == LENGTH && Arrays.equals(bytes, 0, ID_LENGTH, id, 0, ID_LENGTH);
    }
}
