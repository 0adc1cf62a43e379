package dev.agenthealth.functions.storage.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.identity.ProviderGrants;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.testkit.TableContents;
import dev.agenthealth.testkit.TestDynamoDb;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** API keys as they are stored: never the keys themselves. */
@Tag("R16-31")
class KeyStoreTest {

    private static final Instant CREATED = Instant.parse("2026-02-08T09:00:00Z");

    @AutoClose
    private TestSystem system;

    private KeyStore keys;
    private CredentialEnds ends;

    @BeforeEach
    void open() {
        system = new TestSystem();
        keys = new KeyStore(system.database());
        ends = new CredentialEnds(system.database());
    }

    @Test
    void a_key_is_found_by_its_hash_with_all_its_fields() {
        ApiKey key = key("k1", Role.COORDINATOR, Set.of("billing", "research"));
        keys.add(key);
        assertThat(keys.find(key.hash())).contains(key);
        assertThat(keys.find(KeyHash.ofKey("another"))).isEmpty();
    }

    @Test
    void the_key_itself_is_stored_nowhere() {
        keys.add(key("k1", Role.AGENT, Set.of()));
        keys.revoke("k1");
        assertThat(TableContents.of(system.tables()).toString()).doesNotContain("secret-of-k1");
    }

    @Test
    void keys_are_listed_by_id_page_by_page() {
        List<String> ids = IntStream.range(10, 25).mapToObj(i -> "list-" + i).toList();
        ids.forEach(id -> keys.add(key(id, Role.AGENT, Set.of())));
        List<String> listed = new ArrayList<>();
        for (List<ApiKey> page = keys.page("list-", 4); !page.isEmpty(); page = keys.page(last(listed), 4)) {
            assertThat(page).hasSizeLessThanOrEqualTo(4);
            page.forEach(key -> listed.add(key.keyId()));
        }
        assertThat(listed).isEqualTo(ids);
    }

    @Test
    void a_revoked_key_is_neither_found_nor_listed_and_is_among_the_revocations() {
        ApiKey key = key("revoked", Role.AGENT, Set.of());
        keys.add(key);
        assertThat(ends.endedCredentials()).isEmpty();
        assertThat(keys.revoke("revoked")).isTrue();
        assertThat(keys.find(key.hash())).isEmpty();
        assertThat(keys.page("", 100)).noneMatch(k -> k.keyId().equals("revoked"));
        assertThat(ends.endedCredentials())
                .containsExactly(Map.entry(key.hash(), new Owner(key.keyId(), KeyHash.NONE)));
        assertThat(keys.revoke("revoked")).as("again").isFalse();
        assertThat(keys.revoke("never-was")).isFalse();
        system.clock().advance(CredentialEnds.REVOCATION_RETENTION);
        assertThat(ends.endedCredentials()).isEmpty();
    }

    @Test
    void all_revocations_are_found_across_pages() {
        List<KeyHash> hashes = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ApiKey key = key("mass-" + i, Role.AGENT, Set.of());
            keys.add(key);
            keys.revoke(key.keyId());
            hashes.add(key.hash());
        }
        assertThat(new CredentialEnds(system.databaseThrough(new TestDynamoDb(system.dynamoDb()).answerInPart(1)))
                        .endedCredentials()
                        .keySet())
                .containsExactlyInAnyOrderElementsOf(hashes);
    }

    @Test
    void a_key_is_issued_and_revoked_once_even_where_the_answer_is_lost() {
        ApiKey key = key("lost", Role.AGENT, Set.of());
        system.faults().loseAnswerOf(TransactWriteItemsRequest.class);
        keys.add(key);
        assertThat(keys.find(key.hash())).contains(key);
        system.faults().loseAnswerOf(TransactWriteItemsRequest.class);
        assertThat(keys.revoke("lost")).isTrue();
        assertThat(ends.endedCredentials())
                .containsExactly(Map.entry(key.hash(), new Owner(key.keyId(), KeyHash.NONE)));
    }

    private static ApiKey key(String id, Role role, Set<String> roleIds) {
        return ApiKey.issued(
                id,
                KeyHash.ofKey("secret-of-" + id),
                role,
                "Key " + id,
                roleIds,
                ProviderGrants.of(Set.of("acme")),
                CREATED);
    }

    private static String last(List<String> texts) {
        return texts.get(texts.size() - 1);
    }
}
