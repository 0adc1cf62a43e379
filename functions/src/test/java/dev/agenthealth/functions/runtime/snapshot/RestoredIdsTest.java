package dev.agenthealth.functions.runtime.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.f4b6a3.ulid.UlidCreator;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two instances restored from one snapshot generate different ids in the same millisecond. */
@Tag("SYS-01")
class RestoredIdsTest {

    private static final long NOW = 1_770_544_800_000L;
    private static final int IDS = 500;

    @Test
    void instances_with_new_generators_share_no_id() throws ReflectiveOperationException, IOException {
        for (String method : List.of("getUlid", "getMonotonicUlid")) {
            List<String> ids = new ArrayList<>();
            ids.addAll(drawn(method));
            ids.addAll(drawn(method));
            assertThat(new HashSet<>(ids)).as(method).hasSize(2 * IDS);
        }
    }

    /** Ids of an unused copy of the generator, as in an instance that was just started. */
    private static List<String> drawn(String name) throws ReflectiveOperationException, IOException {
        URL library = UlidCreator.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader instance = new URLClassLoader(new URL[] {library}, ClassLoader.getPlatformClassLoader())) {
            Method method = instance.loadClass(UlidCreator.class.getName()).getMethod(name, long.class);
            List<String> ids = new ArrayList<>();
            for (int i = 0; i < IDS; i++) {
                ids.add(method.invoke(null, NOW).toString());
            }
            return ids;
        }
    }
}
