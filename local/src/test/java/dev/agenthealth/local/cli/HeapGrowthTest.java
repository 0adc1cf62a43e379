package dev.agenthealth.local.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeapGrowthTest {

    private static final long MEGABYTE = 1 << 20;

    private long heap = 16 * MEGABYTE;
    private long needed = 12 * MEGABYTE;
    private int collections;

    private final HeapGrowth growth = new HeapGrowth(() -> heap, () -> {
        collections++;
        heap = needed;
    });

    private int collectionsAt(long bytes) {
        heap = bytes;
        growth.check();
        return collections;
    }

    @Test
    void a_heap_that_has_grown_by_four_megabytes_is_collected_once() {
        assertThat(collectionsAt(20 * MEGABYTE - 1)).isZero();
        assertThat(collectionsAt(20 * MEGABYTE)).isEqualTo(1);
        growth.check();
        assertThat(collections).isEqualTo(1);
        assertThat(collectionsAt(16 * MEGABYTE - 1)).isEqualTo(1);
        assertThat(collectionsAt(16 * MEGABYTE)).isEqualTo(2);
    }

    @Test
    void a_large_heap_is_collected_after_a_growth_by_an_eighth() {
        needed = 400 * MEGABYTE;
        assertThat(collectionsAt(400 * MEGABYTE)).isEqualTo(1);
        assertThat(collectionsAt(450 * MEGABYTE - 1)).isEqualTo(1);
        assertThat(collectionsAt(450 * MEGABYTE)).isEqualTo(2);
    }
}
