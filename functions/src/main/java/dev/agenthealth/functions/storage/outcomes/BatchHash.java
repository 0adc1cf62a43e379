package dev.agenthealth.functions.storage.outcomes;

import dev.agenthealth.model.identity.Sha256;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import software.amazon.awssdk.core.SdkBytes;

/**
 * The part of a batch that is kept to recognise it: a hash of its identity, and one of its content. Immutable.
 *
 * <p>In a slice both share eight bytes. Six identify the batch: among 100,000 batches of one slice, two have the same with a probability of 2 in
 * 100,000. Two compare the content: of the batches that reuse an id, one in 65,536 is taken for a retry.
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

    /** The identity of the batch among those of its agent, for keys of items. */
    public String id() {
        return HexFormat.of().formatHex(id);
    }

    /** The hash of the content, for items about a single batch. */
    public String content() {
        return content;
    }

    /** The eight bytes that a slice keeps. */
    SdkBytes kept() {
        return kept;
    }

    /** Compares the batch with an item about the batch with its id. */
    public BatchMatch matching(String contentOfItem) {
        return contentOfItem.equals(content) ? BatchMatch.COUNTED : BatchMatch.OTHER_CONTENT;
    }

    /** Compares the batch with the batches that a slice keeps. */
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
